// Typing instead of clicking: a call or a card is made as soon as what was typed can mean only one legal choice.
const WAIT = 1500;

export class Keys {
  constructor(handlers) {
    this.handlers = handlers; // {choices: () => [{typed: ["1N", "1NT"], choose}], commands: {"?": f, Backspace: f, Enter: f}}
    this.typed = "";
    this.listener = (event) => this.hear(event);
    document.addEventListener("keydown", this.listener);
  }

  close() { document.removeEventListener("keydown", this.listener); }

  hear(event) {
    const tag = event.target.tagName;
    if (event.ctrlKey || event.metaKey || event.altKey || tag === "INPUT" || tag === "TEXTAREA" || tag === "SELECT") return;
    if (event.target.closest?.("dialog")) return;
    const onControl = tag === "BUTTON" || tag === "A" || tag === "SUMMARY";
    const command = this.handlers.commands[event.key];
    if (command && !(onControl && event.key === "Enter")) {
      event.preventDefault();
      this.typed = "";
      command();
      return;
    }
    if (!/^[a-z0-9]$/i.test(event.key)) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.typed = ""; }, WAIT);
    this.typed += event.key.toUpperCase();
    this.match();
  }

  match() {
    const all = this.handlers.choices();
    const fits = all.filter((choice) => choice.typed.some((word) => word.startsWith(this.typed)));
    const exact = fits.filter((choice) => choice.typed.includes(this.typed));
    if (fits.length === 0) { this.typed = ""; return; }
    if (exact.length === 1 && fits.length === 1) {
      this.typed = "";
      exact[0].choose();
    }
  }
}
