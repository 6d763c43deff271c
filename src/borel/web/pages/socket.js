// The line to a table: comes back by itself when it breaks, and answers each request.
import { texts } from "./texts.js";

export class Line {
  constructor(table, key, { view, state }) {
    this.table = table; this.key = key; this.onview = view; this.onstate = state;
    this.waiting = new Map(); this.number = 0; this.tries = 0; this.closed = false;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/socket`);
    this.socket.addEventListener("open", () => this.socket.send(JSON.stringify({ key: this.key ?? "" })));
    this.socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    this.socket.addEventListener("close", (event) => this.lost(event));
  }

  hear(message) {
    if (message.view) {
      this.tries = 0;
      this.onstate("open");
      this.onview(message.view);
      return;
    }
    const waiting = this.waiting.get(message.answer);
    this.waiting.delete(message.answer);
    if (!waiting) return;
    if (message.error) waiting.reject(new Error(message.error)); else waiting.resolve(message);
  }

  lost(event) {
    for (const waiting of this.waiting.values()) waiting.reject(new Error(texts.connectionLost));
    this.waiting.clear();
    if (this.closed) return;
    if (event.code === 4404) { this.onstate("gone"); return; }
    this.onstate("lost");
    this.tries += 1;
    setTimeout(() => { if (!this.closed) this.open(); }, Math.min(8000, 250 * 2 ** this.tries));
  }

  send(message) {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) { reject(new Error(texts.noConnection)); return; }
      this.number += 1;
      this.waiting.set(this.number, { resolve, reject });
      this.socket.send(JSON.stringify({ ...message, id: this.number }));
    });
  }

  close() { this.closed = true; this.socket.close(); }
}
