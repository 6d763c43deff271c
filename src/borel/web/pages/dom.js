// Small help with the document: elements, the server, what is remembered, what is said aloud.
import { texts } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);
export const s = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);
export const byId = (id) => document.getElementById(id);

export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  const response = await fetch(path, options).catch(() => { throw new Error(texts.unreachable); });
  const answer = await response.json().catch(() => ({ error: response.statusText }));
  if (!response.ok) throw new Error(answer.error ?? response.statusText);
  return answer;
}

export const kept = {
  get(name, otherwise) {
    try { return JSON.parse(localStorage.getItem(`borel.${name}`)) ?? otherwise; } catch { return otherwise; }
  },
  set(name, value) {
    try { localStorage.setItem(`borel.${name}`, JSON.stringify(value)); } catch { /* private windows keep nothing */ }
  },
};

export function say(text) {
  if (text) byId("said").textContent = text;
}

// Draw a part of the page anew and leave the keyboard where it was.
export function redraw(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (focused) element.querySelector(`[data-key="${CSS.escape(focused)}"]:not(:disabled)`)?.focus({ preventScroll: true });
}

export function select(label, name, choices, value, onchange) {
  const options = Object.entries(choices).map(([key, text]) => h("option", { value: key, selected: key === value }, text));
  return h("label", { class: "field" }, h("span", {}, label), h("select", { name, onchange }, options));
}

export function busy(button, work) {
  return async (event) => {
    event?.preventDefault?.();
    const target = button ?? event?.currentTarget;
    target?.setAttribute("aria-busy", "true");
    if (target && "disabled" in target) target.disabled = true;
    try { await work(event); } finally {
      target?.removeAttribute("aria-busy");
      if (target && "disabled" in target) target.disabled = false;
    }
  };
}

// A bar for work whose end nobody can see: it fills by the time that the same work took before in this browser.
export function bar(name, text, usual = 3) {
  const expected = kept.get(`took.${name}`, usual), begun = Date.now();
  const progress = h("progress", { max: 1, value: 0, "aria-label": text }), left = h("span", { class: "note" });
  const tick = () => {
    const passed = (Date.now() - begun) / 1000;
    progress.value = 1 - Math.exp((-2 * passed) / expected);
    left.textContent = expected >= 2 ? texts.left(Math.round(expected - passed)) : "";
  };
  tick();
  const timer = setInterval(() => { if (progress.isConnected || Date.now() - begun < 1000) tick(); else clearInterval(timer); }, 200);
  const done = () => { clearInterval(timer); kept.set(`took.${name}`, Math.max(0.3, (Date.now() - begun) / 1000)); };
  return { element: h("div", { class: "waiting-bar", role: "status" }, h("p", {}, text, " ", left), progress), done };
}

export const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");
