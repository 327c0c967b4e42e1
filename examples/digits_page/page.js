// What is drawn becomes an image as those of the training, and LeNet says what it is.
import { load } from "./lenet.js";

const SIDE = 28, INSIDE = 20, PAPER = 280, PEN = 20; // MNIST: 20 x 20 about the middle of 28 x 28
const $ = (id) => document.getElementById(id);
const paper = $("paper").getContext("2d", { willReadFrequently: true });
const model = await load();
const samples = await (await fetch("samples.json")).json();
let last = null;

function clear() {
  paper.fillStyle = "black";
  paper.fillRect(0, 0, PAPER, PAPER);
  $("answer").textContent = "";
  $("chances").replaceChildren();
  $("told").textContent = "LeNet in WebAssembly; nothing leaves this page";
}

function place(event) {
  const box = $("paper").getBoundingClientRect();
  return [((event.clientX - box.left) / box.width) * PAPER, ((event.clientY - box.top) / box.height) * PAPER];
}

function stroke(from, to) {
  paper.strokeStyle = "white";
  paper.lineWidth = PEN;
  paper.lineCap = paper.lineJoin = "round";
  paper.beginPath();
  paper.moveTo(...from);
  paper.lineTo(...to);
  paper.stroke();
}

// Where something is drawn: [left, top, size], a square; null for an empty paper.
function drawn() {
  const { data } = paper.getImageData(0, 0, PAPER, PAPER);
  let left = PAPER, top = PAPER, right = -1, bottom = -1;
  for (let y = 0; y < PAPER; y++)
    for (let x = 0; x < PAPER; x++)
      if (data[4 * (y * PAPER + x)] > 40) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
      }
  if (right < 0) return null;
  const size = Math.max(right - left, bottom - top) + 1;
  return [(left + right + 1 - size) / 2, (top + bottom + 1 - size) / 2, size];
}

function image() {
  const box = drawn();
  if (!box) return null;
  const small = new OffscreenCanvas(SIDE, SIDE).getContext("2d");
  small.fillRect(0, 0, SIDE, SIDE);
  small.imageSmoothingQuality = "high";
  const edge = (SIDE - INSIDE) / 2;
  small.drawImage($("paper"), box[0], box[1], box[2], box[2], edge, edge, INSIDE, INSIDE);
  const { data } = small.getImageData(0, 0, SIDE, SIDE);
  return Float32Array.from({ length: SIDE * SIDE }, (_, n) => data[4 * n] / 127.5 - 1);
}

function recognize(pixels) {
  if (!pixels) return;
  const start = performance.now();
  const scores = model.run({ image: pixels }).output_0;
  const milliseconds = performance.now() - start;
  const most = Math.max(...scores);
  const powers = Array.from(scores, (score) => Math.exp(score - most));
  const sum = powers.reduce((a, b) => a + b);
  const found = scores.indexOf(most);
  $("answer").textContent = found;
  $("chances").replaceChildren(...powers.map((power, digit) => {
    const row = document.createElement("div"), bar = document.createElement("i");
    row.className = "row";
    bar.style.width = `${(200 * power) / sum}px`;
    row.append(String(digit), bar);
    return row;
  }));
  $("told").textContent = `${((100 * powers[found]) / sum).toFixed(1)} %, in ${milliseconds.toFixed(2)} ms`;
}

function show(number) {
  clear();
  const cell = PAPER / SIDE;
  samples.images[number].forEach((row, y) => row.forEach((share, x) => {
    paper.fillStyle = `rgb(${255 * share},${255 * share},${255 * share})`;
    paper.fillRect(x * cell, y * cell, cell, cell);
  }));
  recognize(Float32Array.from(samples.images[number].flat(), (share) => 2 * share - 1));
  document.documentElement.dataset.label = samples.labels[number];
}

$("paper").addEventListener("pointerdown", (event) => {
  $("paper").setPointerCapture(event.pointerId);
  last = place(event);
  stroke(last, last);
});
$("paper").addEventListener("pointermove", (event) => {
  if (!last) return;
  const next = place(event);
  stroke(last, next);
  last = next;
  recognize(image());
});
$("paper").addEventListener("pointerup", () => {
  last = null;
  recognize(image());
});
$("clear").addEventListener("click", clear);
$("sample").addEventListener("click", () => show(Math.floor(Math.random() * samples.labels.length)));

model.verify(); // this browser computes what Python did, or says so here
clear();
const asked = /^#sample=(\d+)$/.exec(location.hash), line = /^#line$/.exec(location.hash);
if (asked) show(Number(asked[1]) % samples.labels.length);
if (line) { // a 1, as a hand draws it
  stroke([140, 40], [140, 240]);
  recognize(image());
}
document.documentElement.dataset.ready = "yes";
