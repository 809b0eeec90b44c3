"""The pages: plain GETs whose addresses say everything. Importing a module adds its pages."""

from webviewer.views import codes, dropped, hand, hands, logs, rules, scripts
from webviewer.views.here import pages

__all__ = ["codes", "dropped", "hand", "hands", "logs", "pages", "rules", "scripts"]
