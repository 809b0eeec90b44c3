"""四副滚子: three packs, two sides, tribute, buried jokers."""
