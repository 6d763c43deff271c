// Cards and suits, drawn.
import { h, s } from "./dom.js";
import { texts } from "./texts.js";

const SHAPES = {
  S: ["M50 4C54 18 92 40 92 64c0 14-11 21-21 21-8 0-14-4-18-10 1 10 5 17 11 21H36c6-4 10-11 11-21-4 6-10 10-18 10C19 85 8 78 8 64 8 40 46 18 50 4Z"],
  H: ["M50 93C22 66 6 48 6 29 6 14 17 6 29 6c9 0 17 5 21 14C54 11 62 6 71 6c12 0 23 8 23 23 0 19-16 37-44 64Z"],
  D: ["M50 3Q64 30 88 50 64 70 50 97 36 70 12 50 36 30 50 3Z"],
  C: ["M50 6a21 21 0 0 1 15 36A21 21 0 1 1 54 68c1 14 4 22 10 28H36c6-6 9-14 10-28A21 21 0 1 1 35 42 21 21 0 0 1 50 6Z"],
};

export const suitOf = (card) => card[0];
export const rankOf = (card) => (card[1] === "T" ? "10" : card[1]);
export const nameOf = (card) => `${texts.ranks[card[1]]} ${texts.of} ${texts.suits[card[0]]}`;

export function suitSign(suit) {
  return s("svg", { class: `suit suit-${suit}`, viewBox: "0 0 100 100", "aria-hidden": "true" }, SHAPES[suit].map((d) => s("path", { d })));
}

export function cardFace(card) {
  const suit = suitOf(card), rank = rankOf(card);
  const sign = (x, y, size) => s("g", { transform: `translate(${x} ${y}) scale(${size / 100})` }, SHAPES[suit].map((d) => s("path", { d })));
  const text = { x: 11, y: 20, class: "rank", ...(rank === "10" ? { textLength: 18, lengthAdjust: "spacingAndGlyphs" } : {}) };
  return s("svg", { class: `face suit-${suit}`, viewBox: "0 0 60 84", "aria-hidden": "true" },
    s("rect", { class: "paper", x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 5 }),
    s("text", text, rank), sign(3.5, 25, 15), sign(23, 43, 32));
}

export function cardBack() {
  return s("svg", { class: "face back", viewBox: "0 0 60 84", "aria-hidden": "true" },
    s("rect", { class: "paper", x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 5 }),
    s("rect", { class: "pattern", x: 5, y: 5, width: 50, height: 74, rx: 3 }),
    s("path", { class: "lines", d: "M5 23 23 5M5 41 41 5M5 59 55 9M5 77 55 27M20 79 55 44M38 79 55 62M55 23 37 5M55 41 19 5M55 59 5 9M55 77 5 27M40 79 5 44M22 79 5 62" }));
}

// "4S", "1NT", "P", "X" as people write them, with drawn suits.
export function callText(call) {
  if (call === "P") return h("span", { class: "call pass" }, texts.pass);
  if (call === "X") return h("span", { class: "call double" }, texts.double);
  if (call === "XX") return h("span", { class: "call redouble" }, texts.redouble);
  const strain = call.slice(1);
  return h("span", { class: "call bid" }, call[0], strain === "NT" ? h("span", { class: "nt" }, "NT") : suitSign(strain));
}

export function callName(call) {
  if (call === "P") return texts.passWord;
  if (call === "X") return texts.doubleWord;
  if (call === "XX") return texts.redoubleWord;
  return call.slice(1) === "NT" ? call : `${call[0]} ${texts.suits[call[1]]}`; // what is read aloud holds what is seen
}

// Bids and cards that the engine writes in letters, with symbols.
const SYMBOL = { S: "♠", H: "♥", D: "♦", C: "♣" };
export const symbols = (text) => text.replace(/\b([1-7])([SHDC])(?=X*\b)/g, (_, level, suit) => level + SYMBOL[suit]).replace(/\b([SHDC])([AKQJT2-9])\b/g, (_, suit, rank) => SYMBOL[suit] + (rank === "T" ? "10" : rank));
export const percent = (share) => `${Math.round(100 * share)}%`;

// A sentence of the engine with its suit symbols in colour.
export function rich(text) {
  return text.split(/([♠♥♦♣])/).map((part) => {
    const at = "♠♥♦♣".indexOf(part);
    return part.length === 1 && at >= 0 ? h("span", { class: `sym suit-${"SHDC"[at]}` }, part) : part;
  });
}

// A hand as four lines of text: for the other hands when the board is over, and for pictures of deals.
export function handText(cards) {
  return h("div", { class: "suits" }, ["S", "H", "D", "C"].map((suit) => {
    const ranks = cards.filter((card) => suitOf(card) === suit).sort((a, b) => "AKQJT98765432".indexOf(a[1]) - "AKQJT98765432".indexOf(b[1]));
    return h("div", { class: "line" }, suitSign(suit), h("span", { class: "unseen" }, `${texts.suits[suit]} `), h("span", {}, ranks.map(rankOf).join(" ") || "—"));
  }));
}

export function pbnHand(text) {
  return text.split(".").flatMap((ranks, i) => [...ranks].map((rank) => "SHDC"[i] + rank));
}
