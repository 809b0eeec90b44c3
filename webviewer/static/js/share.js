// Sharing a moment: its link, which carries the language, and its 回放码; each copied with one press.

import { replayCode } from "./code.js";
import { fill } from "./draw.js";
import { writePlace } from "./place.js";

export class Share {
  constructor(dialog, words, data, say) {
    Object.assign(this, { dialog, words, data, say });
    this.link = dialog.querySelector("#share-link");
    this.code = dialog.querySelector("#share-code");
    dialog.querySelector("#copy-link").addEventListener("click", () => this.copy(this.link.value, words.copied));
    dialog.querySelector("#copy-code").addEventListener("click", () => this.copy(this.code.value, words.code_copied));
    for (const box of [this.link, this.code]) box.addEventListener("focus", () => box.select());
  }

  /** The address of a place, in the language that it is read in. */
  address(place) {
    const address = new URL(location.href);
    address.searchParams.set("lang", this.data.lang);
    address.hash = writePlace(place);
    return address.href;
  }

  open(place) {
    this.link.value = this.address(place);
    this.code.value = replayCode(this.data.hand, place);
    this.dialog.showModal();
  }

  copyLink(place) {
    return this.copy(this.address(place), this.words.copied);
  }

  async copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(done);
    } catch {
      this.say(fill(this.words.copy_failed, { link: text }));
    }
  }
}
