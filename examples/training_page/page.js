// Drawings become small images, these become batches, and each step trains on one.
import { load } from "./drawings.js";

const SIDE = 28, INSIDE = 22, PAPER = 280, PEN = 18, STEPS = 120, AT_ONCE = 4, LARGEST_MOVE = 2;
const NAMES = ["first", "second", "third"];
const $ = (id) => document.getElementById(id);
const paper = $("paper").getContext("2d", { willReadFrequently: true });
const model = await load();
const [batch] = model.entries.step.inputs[0].shape;
const examples = NAMES.map(() => []); // of each thing: images, as arrays of SIDE x SIDE
let last = null, losses = [], training = false;

// Drawing.

function clear() {
  paper.fillStyle = "black";
  paper.fillRect(0, 0, PAPER, PAPER);
  show(null);
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

// What is drawn, moved into the middle, as numbers from 0 to 1; null for an empty paper.
function image() {
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
  const size = Math.max(right - left, bottom - top) + 1, edge = (SIDE - INSIDE) / 2;
  const small = new OffscreenCanvas(SIDE, SIDE).getContext("2d");
  small.fillRect(0, 0, SIDE, SIDE);
  small.imageSmoothingQuality = "high";
  small.drawImage($("paper"), (left + right + 1 - size) / 2, (top + bottom + 1 - size) / 2, size, size,
    edge, edge, INSIDE, INSIDE);
  const found = small.getImageData(0, 0, SIDE, SIDE).data;
  return Float32Array.from({ length: SIDE * SIDE }, (_, n) => found[4 * n] / 255);
}

// Examples.

function add(kind, pixels) {
  examples[kind].push(pixels);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const to = canvas.getContext("2d"), shown = to.createImageData(SIDE, SIDE);
  pixels.forEach((share, n) => shown.data.set([255 * share, 255 * share, 255 * share, 255], 4 * n));
  to.putImageData(shown, 0, 0);
  $(`examples-${kind}`).append(canvas);
  tell();
}

// The image some pixels further on: each drawing stands for all that lie a little aside.
function moved(pixels, right, down) {
  const found = new Float32Array(SIDE * SIDE);
  for (let y = Math.max(0, down); y < Math.min(SIDE, SIDE + down); y++)
    for (let x = Math.max(0, right); x < Math.min(SIDE, SIDE + right); x++)
      found[y * SIDE + x] = pixels[(y - down) * SIDE + x - right];
  return found;
}

const below = (count) => Math.floor(Math.random() * count);
const aside = () => below(2 * LARGEST_MOVE + 1) - LARGEST_MOVE;

function drawnBatch() {
  const images = new Float32Array(batch * SIDE * SIDE), labels = new BigInt64Array(batch);
  const kinds = examples.flatMap((of, kind) => (of.length ? [kind] : []));
  for (let n = 0; n < batch; n++) {
    const kind = kinds[n % kinds.length], of = examples[kind];
    images.set(moved(of[below(of.length)], aside(), aside()), n * SIDE * SIDE);
    labels[n] = BigInt(kind);
  }
  return { images, labels };
}

// Training.

async function train(steps = STEPS) {
  if (training || examples.filter((of) => of.length).length < 2) return;
  training = true;
  $("train").disabled = true;
  const start = performance.now();
  let computing = 0;
  for (let n = 0; n < steps; n++) {
    const feeds = drawnBatch(), before = performance.now();
    losses.push(model.step(feeds).output_0[0]);
    computing += performance.now() - before;
    if (n % AT_ONCE === AT_ONCE - 1) { // the page stays alive, and shows how it goes
      curve();
      recognize();
      await new Promise((done) => setTimeout(done));
    }
  }
  training = false;
  tell(`${steps} steps of ${batch} drawings in ${Math.round(performance.now() - start)} ms, ` +
    `${(computing / steps).toFixed(2)} ms each; `);
}

function curve() {
  const { width, height } = $("curve"), to = $("curve").getContext("2d"), edge = 14;
  const ink = getComputedStyle(document.documentElement);
  to.clearRect(0, 0, width, height);
  if (!losses.length) return;
  const most = Math.max(...losses, 1.2);
  const at = (n, loss) => [
    edge + (n / Math.max(losses.length - 1, 1)) * (width - 2 * edge),
    height - edge - (loss / most) * (height - 2 * edge),
  ];
  to.lineWidth = 3;
  to.strokeStyle = ink.getPropertyValue("color") && getComputedStyle($("curve")).color;
  to.beginPath();
  losses.forEach((loss, n) => to.lineTo(...at(n, loss)));
  to.stroke();
  to.fillStyle = to.strokeStyle;
  to.font = "24px system-ui, sans-serif";
  to.textAlign = "right";
  to.fillText(`${losses.at(-1).toFixed(3)} after ${losses.length} steps`, width - edge, 2 * edge + 10);
}

function recognize() {
  const pixels = image();
  show(pixels && losses.length ? model.run({ image: pixels }).output_0 : null);
}

function show(chances) {
  const most = chances && chances.indexOf(Math.max(...chances));
  NAMES.forEach((_, kind) => {
    $(`bar-${kind}`).style.width = chances ? `${100 * chances[kind]}%` : "0";
    $(`chance-${kind}`).textContent = chances ? `${Math.round(100 * chances[kind])} %` : "";
    $(`class-${kind}`).classList.toggle("named", most === kind);
  });
  document.documentElement.dataset.named = chances ? most : "";
}

function tell(before = "") {
  const counts = examples.map((of) => of.length), told = counts.filter(Boolean).length;
  $("train").disabled = training || told < 2;
  $("told").textContent = told < 2
    ? "draw at least two kinds of things"
    : `${before}${counts.join(" + ")} drawings, learning rate ${model.learningRate.toPrecision(2)}`;
}

// Drawings of the page's own: a ring, a cross and a zigzag, as no two hands draw them.

function sketch(kind) {
  clear();
  const [x, y] = [140 + 12 * aside(), 140 + 12 * aside()], size = 60 + below(40);
  const near = (right, down) => [x + size * right + 5 * aside(), y + size * down + 5 * aside()];
  const turns = Array.from({ length: 13 }, (_, n) => (n * Math.PI) / 6);
  const lines = [
    [turns.map((turn) => near(Math.cos(turn), Math.sin(turn)))],
    [[near(-1, -1), near(1, 1)], [near(1, -1), near(-1, 1)]],
    [[near(-1, -1), near(1, -1), near(-1, 1), near(1, 1)]],
  ][kind];
  for (const line of lines) line.slice(1).forEach((to, n) => stroke(line[n], to));
}

function drawSome(count = 5) {
  for (let n = 0; n < count; n++)
    NAMES.forEach((_, kind) => {
      sketch(kind);
      add(kind, image());
    });
  clear();
}

// What can be pressed.

NAMES.forEach((name, kind) => {
  const box = document.createElement("div");
  box.className = "class";
  box.id = `class-${kind}`;
  box.innerHTML = `<header><b>The ${name} thing</b><span id="chance-${kind}"></span>
    <button>This is one</button></header><div class="bar" id="bar-${kind}"></div>
    <div id="examples-${kind}"></div>`;
  box.querySelector("button").addEventListener("click", () => {
    const pixels = image();
    if (pixels) add(kind, pixels);
    clear();
  });
  $("classes").append(box);
});
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
  recognize();
});
$("paper").addEventListener("pointerup", () => {
  last = null;
  recognize();
});
$("clear").addEventListener("click", clear);
$("demo").addEventListener("click", () => drawSome());
$("train").addEventListener("click", () => train());
$("rate").addEventListener("input", () => {
  model.learningRate = 10 ** Number($("rate").value);
  tell();
});
$("reset").addEventListener("click", () => {
  model.reset();
  model.learningRate = 10 ** Number($("rate").value);
  losses = [];
  curve();
  recognize();
  tell();
});
$("save").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([model.state]));
  link.download = "drawings.safetensors"; // which Python reads: twinoar.export.native.load_state
  link.click();
  URL.revokeObjectURL(link.href);
});
$("load").addEventListener("change", async () => {
  try {
    model.state = new Uint8Array(await $("load").files[0].arrayBuffer());
    recognize();
    tell();
  } catch (error) {
    $("told").textContent = error.message;
  }
});

model.verify(); // this browser trains as Python does, or says so here
clear();
curve();
tell();
if (location.hash === "#alone") { // as somebody draws, trains, and draws again
  drawSome();
  await train();
  const kept = model.state, named = [];
  for (let n = 0; n < 12; n++) {
    sketch(n % NAMES.length);
    recognize();
    named.push(Number(document.documentElement.dataset.named) === n % NAMES.length);
  }
  const { dataset } = document.documentElement;
  const mean = (part) => part.reduce((a, b) => a + b) / part.length;
  dataset.right = named.filter(Boolean).length;
  dataset.before = mean(losses.slice(0, 5));
  dataset.after = mean(losses.slice(-5));
  model.reset();
  model.state = kept;
  dataset.kept = model.state.every((byte, n) => byte === kept[n]);
}
document.documentElement.dataset.ready = "yes";
