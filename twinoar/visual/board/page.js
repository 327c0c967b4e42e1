// The board: cards about tags, asked for again when there are more values.
"use strict";

import { graph } from "./graph.js";

const COLORS = ["#3d6fb8", "#b8632a", "#3f8658", "#8a4fa8", "#c8372d", "#1f8f99", "#a0852a", "#d25c93"];
const NAMES = {
  scalar: "Curves", image: "Pictures", audio: "Sounds", text: "Texts", histogram: "Distributions",
  graph: "Graphs", pr_curve: "Precision and recall", roc_curve: "ROC", hyper_parameters: "Settings", embeddings: "Points",
};
const WIDE = new Set(["graph", "hyper_parameters"]);
const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 400, HEIGHT = 240, LEFT = 52, BOTTOM = 22, TOP = 8, RIGHT = 8;
const EVERY = 2000; // milliseconds from one look to the next

let sorting = {column: null, down: false};
let tags = {}, kind = location.hash.slice(1), hidden = new Set(), drawn = new Map();
const $ = (id) => document.getElementById(id);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  made.append(...children);
  return made;
}

function shape(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
}

function runs() {
  const found = new Set();
  for (const byTag of Object.values(tags)) for (const byRun of Object.values(byTag)) for (const run of Object.keys(byRun)) found.add(run);
  return [...found].sort();
}
const color = (run) => COLORS[runs().indexOf(run) % COLORS.length];

function number(x) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential(2) : String(Number(x.toPrecision(4)));
}

// Numbers of equal distance, 1, 2 or 5 times a power of ten, within a range.
function ticks(low, high) {
  const rough = (high - low) / 6 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((n) => n * power >= rough) * power;
  const found = [];
  for (let n = Math.ceil(low / step); n * step <= high + step * 1e-9; n++) found.push(n * step);
  return found;
}

// A chart: lines of {name, color, points: [[x, y]]}, or dots where `dots` says so.
function chart(lines, {logarithmic = false, dots = false, unit = (x) => number(x)} = {}) {
  const svg = shape("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img"});
  const height = (y) => (logarithmic ? Math.log10(y) : y);
  const shown = lines.map((line) => ({...line, points: line.points.filter(([x, y]) => x !== null && y !== null && (!logarithmic || y > 0))}));
  const all = shown.flatMap((line) => line.points);
  if (!all.length) return svg;
  const range = (numbers) => {
    let low = Infinity, high = -Infinity;
    for (const n of numbers) { low = Math.min(low, n); high = Math.max(high, n); }
    return low === high ? [low - 0.5, high + 0.5] : [low, high];
  };
  const [left, right] = range(all.map(([x]) => x));
  const [low, high] = range(all.map(([, y]) => height(y)));
  const atX = (x) => LEFT + ((x - left) / (right - left)) * (WIDTH - LEFT - RIGHT);
  const atY = (y) => TOP + (1 - (height(y) - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  for (const tick of ticks(low, high)) {
    const y = TOP + (1 - (tick - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
    shape("line", {class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y}, svg);
    shape("text", {x: LEFT - 6, y: y + 4, "text-anchor": "end"}, svg).textContent = number(logarithmic ? 10 ** tick : tick);
  }
  for (const tick of ticks(left, right))
    shape("text", {x: atX(tick), y: HEIGHT - 6, "text-anchor": "middle"}, svg).textContent = unit(tick);
  for (const line of shown) {
    if (line.points.length === 1 || dots)
      for (const [x, y] of line.points) shape("circle", {cx: atX(x), cy: atY(y), r: 2.5, fill: line.color}, svg);
    if (!dots)
      shape("polyline", {
        points: line.points.map(([x, y]) => `${atX(x).toFixed(1)},${atY(y).toFixed(1)}`).join(" "),
        fill: "none", stroke: line.color, "stroke-width": line.faint ? 1 : 1.8, opacity: line.faint ? 0.3 : 1,
      }, svg);
  }
  svg.nearest = (event) => {
    const box = svg.getBoundingClientRect();
    const x = left + (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT) * (right - left);
    return shown.filter((line) => !line.faint && line.points.length).map((line) => {
      const point = line.points.reduce((a, b) => (Math.abs(b[0] - x) < Math.abs(a[0] - x) ? b : a));
      return `${line.name}: ${number(point[1])} at ${unit(point[0])}`;
    });
  };
  return svg;
}

// The exponential mean of a curve, without the bias of its beginning (arXiv 1412.6980, section 3).
function smoothed(points, weight) {
  let mean = 0, share = 1;
  return points.map(([x, y]) => {
    if (y === null) return [x, y];
    mean = weight * mean + (1 - weight) * y;
    share *= weight;
    return [x, mean / (1 - share)];
  });
}

function withPointer(svg, card) {
  const told = element("div", {className: "told"});
  svg.addEventListener("pointermove", (event) => (told.textContent = svg.nearest ? svg.nearest(event).join("   ") : ""));
  svg.addEventListener("pointerleave", () => (told.textContent = ""));
  card.append(svg, told);
}

function curves(card, series) {
  const over = Number($("over").value), weight = Number($("smooth").value), lines = [];
  for (const [run, rows] of series) {
    const start = rows.length ? rows[0][1] : 0;
    const points = rows.map((row) => [over ? row[1] - start : row[0], row[2]]);
    if (weight) lines.push({name: run, color: color(run), points, faint: true});
    lines.push({name: run, color: color(run), points: weight ? smoothed(points, weight) : points});
  }
  const unit = over ? (x) => `${number(x)} s` : number;
  withPointer(chart(lines, {logarithmic: $("log").checked, unit}), card);
}

// What shows one value of a run, and a slider to choose which.
function chosen(card, series, show) {
  for (const [run, rows] of series) {
    const place = element("div"), told = element("div", {className: "told"});
    const slider = element("input", {type: "range", min: 0, max: rows.length - 1, value: rows.length - 1});
    const draw = () => {
      const row = rows[Number(slider.value)];
      told.textContent = `${run}, step ${row[0]}`;
      place.replaceChildren(show(row, run));
    };
    slider.addEventListener("input", draw);
    draw();
    card.append(told, place);
    if (rows.length > 1) card.append(slider);
  }
}

function bars([, , counts, edges], run) {
  const points = [[edges[0], 0]];
  counts.forEach((count, n) => points.push([edges[n], count], [edges[n + 1], count]));
  points.push([edges[edges.length - 1], 0]);
  return chart([{name: run, color: color(run), points}]);
}

const pairs = (row, run) => chart([{name: run, color: color(run), points: row[2].map((x, n) => [x, row[3][n]])}]); // in the order of their thresholds

function points([, , places, names], run) {
  const svg = chart([{name: run, color: color(run), points: places}], {dots: true});
  [...svg.querySelectorAll("circle")].forEach((dot, n) => (shape("title", {}, dot).textContent = names[n]));
  return svg;
}

function settings(card, series) {
  const rows = series.flatMap(([run, found]) => found.map((row) => [run, row[2], row[3]]));
  const names = (place) => [...new Set(rows.flatMap((row) => Object.keys(row[place])))];
  const chosen = names(1), measures = names(2);
  const shown = (x) => (typeof x === "number" ? number(x) : x ?? "");
  const lines = rows.map(([run, given, found]) => [run, ...chosen.map((n) => given[n]), ...measures.map((n) => found[n])]);
  const {column, down} = sorting;
  if (column !== null) lines.sort((a, b) => (down ? -1 : 1) * (a[column] > b[column] ? 1 : a[column] < b[column] ? -1 : 0));
  const head = ["run", ...chosen, ...measures].map((name, place) => element("th", {
    textContent: place === column ? `${name} ${down ? "↓" : "↑"}` : name,
    className: place > chosen.length ? "measure" : "",
    onclick: () => { sorting = {column: place, down: place === column && !down}; redraw(); },
  }));
  const cells = (line) => element("tr", {}, ...line.map((cell) => element("td", {textContent: shown(cell)})));
  card.append(element("table", {}, element("tr", {}, ...head), ...lines.map(cells)));
}

const SHOW = {
  scalar: curves,
  image: (card, series) => chosen(card, series, (row) => element("img", {src: row[2]})),
  audio: (card, series) => chosen(card, series, (row) => element("audio", {src: row[2], controls: true})),
  text: (card, series) => chosen(card, series, (row) => element("pre", {textContent: row[2]})),
  histogram: (card, series) => chosen(card, series, bars),
  graph: (card, series) => chosen(card, series, (row, run) => graph(row[2], run)),
  pr_curve: (card, series) => chosen(card, series, pairs),
  roc_curve: (card, series) => chosen(card, series, pairs),
  embeddings: (card, series) => chosen(card, series, points),
  hyper_parameters: settings,
};

async function fill(card, tag) {
  const answer = await fetch(`series?kind=${encodeURIComponent(kind)}&tag=${encodeURIComponent(tag)}`);
  if (!answer.ok) return;
  card.series = await answer.json();
  draw(card, tag);
}

function draw(card, tag) {
  const series = Object.entries(card.series).filter(([run]) => !hidden.has(run));
  card.replaceChildren(element("h3", {textContent: tag}));
  if (series.length) SHOW[kind](card, series);
}

function redraw() {
  for (const [tag, card] of drawn) if (card.series) draw(card, tag);
}

function choose(next) {
  kind = next;
  history.replaceState(null, "", `#${next}`); // so that the address shows the same again
  drawn = new Map();
  $("cards").replaceChildren();
  refresh();
}

async function refresh() {
  const kinds = Object.keys(NAMES).filter((name) => tags[name]);
  if (kinds.length && !kinds.includes(kind)) kind = kinds[0];
  $("kinds").replaceChildren(...kinds.map((name) => element("button", {textContent: NAMES[name], className: name === kind ? "on" : "", onclick: () => choose(name)})));
  $("runs").replaceChildren(...runs().map((run) => {
    const box = element("input", {type: "checkbox", checked: !hidden.has(run)});
    box.addEventListener("change", () => { box.checked ? hidden.delete(run) : hidden.add(run); redraw(); });
    const dot = element("i");
    dot.style.background = color(run);
    return element("label", {className: "run"}, box, dot, run);
  }));
  const wanted = $("find").value, waiting = [];
  for (const [tag, counts] of Object.entries(tags[kind] ?? {}).sort()) {
    let card = drawn.get(tag);
    if (!card) {
      card = element("article", {className: WIDE.has(kind) ? "card wide" : "card"});
      drawn.set(tag, card);
      $("cards").append(card);
    }
    card.hidden = !tag.includes(wanted);
    // Settings stand beside what measures them, which changes with the curves.
    const count = JSON.stringify(kind === "hyper_parameters" ? [counts, tags.scalar] : counts);
    if (!card.hidden && card.count !== count) {
      card.count = count;
      waiting.push(fill(card, tag));
    }
  }
  await Promise.all(waiting);
  document.documentElement.dataset.ready = "yes";
}

async function look() {
  try {
    const found = await (await fetch("tags")).json();
    tags = found.tags;
    $("state").textContent = Object.keys(tags).length ? "" : "nothing has been written yet";
    $("problems").replaceChildren(...Object.values(found.problems).map((text) => element("p", {textContent: text})));
    await refresh();
  } catch {
    $("state").textContent = "the server does not answer";
  }
  setTimeout(look, EVERY);
}

$("find").addEventListener("input", refresh);
for (const id of ["smooth", "log", "over"]) $(id).addEventListener("input", redraw);
look();
