// A model's graph: what is inside of one layer at a time, with what it reads from outside.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 168, HEIGHT = 40, ACROSS = 196, DOWN = 68, MARGIN = 40, LONGEST = 22;
const inside = new Map(); // the layer that is looked into, by run

function shape(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

const short = (text) => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);
const last = (path) => path.slice(path.lastIndexOf("/") + 1);
// `Linear[0]` is the layer `0`, a Linear.
function layered(name) {
  const found = /^(.*)\[([\w.]*)\]$/.exec(name);
  return found ? [`${found[2]}: ${found[1]}`, found[1]] : [name, "layer"];
}

// What stands in a layer: its own operators and the layers in it, each with the numbers of its
// operators, and what is outside and beside it. `edges`: pairs of names.
export function standing(nodes, scope) {
  const start = scope ? `${scope}/` : "";
  const own = (path) => {
    if (!path.startsWith(start)) return null;
    return start + path.slice(start.length).split("/")[0];
  };
  const beside = (path) => {
    const [here, there] = [scope.split("/"), path.split("/")];
    let common = 0;
    while (common < here.length && common < there.length - 1 && here[common] === there[common]) common++;
    return there.slice(0, common + 1).join("/");
  };
  const boxes = new Map(), edges = new Map();
  const box = (name, number, kind) => {
    if (!boxes.has(name)) boxes.set(name, {name, kind, numbers: [], first: number});
    boxes.get(name).numbers.push(number);
  };
  nodes.forEach(([path], number) => {
    const name = own(path);
    if (name !== null) box(name, number, name === path ? "operator" : "layer");
  });
  nodes.forEach(([path, , , reads], number) => {
    for (const read of reads) {
      const from = own(nodes[read][0]), to = own(path);
      if ((from === null && to === null) || from === to) continue;
      const ends = [from ?? `< ${beside(nodes[read][0])}`, to ?? `> ${beside(path)}`];
      if (from === null) box(ends[0], read, "outside");
      if (to === null) box(ends[1], number, "outside");
      edges.set(ends.join("\n"), {ends, shape: nodes[read][2]});
    }
  });
  return {boxes: [...boxes.values()], edges: [...edges.values()]};
}

// Rows from what is read to who reads it, columns near what is read. Layers that are called twice
// make circles; an edge that goes back moves nobody.
export function placed({boxes, edges}) {
  const order = (b) => (b.name.startsWith("< ") ? -1 : b.name.startsWith("> ") ? Infinity : b.first);
  const sorted = [...boxes].sort((a, b) => order(a) - order(b));
  const turn = new Map(sorted.map((b, n) => [b.name, n]));
  const sources = new Map(sorted.map((b) => [b.name, []]));
  for (const {ends: [from, to]} of edges) if (turn.get(from) < turn.get(to)) sources.get(to).push(from);
  const rows = new Map(), columns = new Map(), byRow = [];
  for (const b of sorted) {
    const row = Math.max(-1, ...sources.get(b.name).map((from) => rows.get(from))) + 1;
    rows.set(b.name, row);
    (byRow[row] ??= []).push(b);
  }
  for (const row of byRow) {
    const mean = (b) => { const all = sources.get(b.name).map((from) => columns.get(from)); return all.length ? all.reduce((x, y) => x + y, 0) / all.length : 0; };
    const wanted = row.map((b) => [mean(b), b]).sort((a, b) => a[0] - b[0]);
    const middle = wanted.reduce((x, [at]) => x + at, 0) / wanted.length;
    wanted.forEach(([, b], n) => columns.set(b.name, middle + n - (wanted.length - 1) / 2));
  }
  const left = Math.min(0, ...columns.values());
  for (const [name, column] of columns) columns.set(name, column - left);
  return {sorted, rows, columns};
}

function curve(a, b) {
  const [x0, y0, x1, y1] = [a.x + WIDTH / 2, a.y + HEIGHT, b.x + WIDTH / 2, b.y];
  if (b.y > a.y && (b.y - a.y <= DOWN || Math.abs(x0 - x1) > 1)) {
    const middle = (y0 + y1) / 2;
    return `M${x0} ${y0} C${x0} ${middle} ${x1} ${middle} ${x1} ${y1}`;
  }
  // Past what stands between, or back, along the right side.
  const side = Math.max(a.x, b.x) + WIDTH, bend = side + 26;
  return `M${a.x + WIDTH} ${a.y + HEIGHT / 2} C${bend} ${a.y + HEIGHT / 2} ${bend} ${b.y + HEIGHT / 2} ${b.x + WIDTH} ${b.y + HEIGHT / 2}`;
}

function told(box, nodes) {
  if (box.kind === "outside") return [box.name.slice(2), box.name.startsWith("<") ? "what it reads" : "who reads it"];
  if (box.kind === "layer") {
    const [name] = layered(last(box.name)), count = box.numbers.length;
    return [name, `${count} operator${count === 1 ? "" : "s"}`];
  }
  const [, kind, made] = nodes[box.first];
  return [kind === "feed" || kind === "Placeholder" ? last(box.name) : kind, made];
}

export function graph(nodes, run) {
  const place = document.createElement("div");
  const tops = new Set(nodes.map(([path]) => path.split("/")[0]).filter((top) => nodes.some(([path]) => path.startsWith(`${top}/`))));
  if (!inside.has(run)) inside.set(run, tops.size === 1 ? [...tops][0] : "");
  const draw = () => {
    const scope = inside.get(run);
    const enter = (name) => { inside.set(run, name); draw(); };
    place.replaceChildren(way(scope, enter), ...picture(nodes, scope, enter));
  };
  draw();
  return place;
}

// The layers from the whole model to the one that is looked into.
function way(scope, enter) {
  const line = document.createElement("div");
  line.className = "way";
  const parts = scope ? scope.split("/") : [];
  for (let depth = 0; depth <= parts.length; depth++) {
    const button = document.createElement("button"), name = parts.slice(0, depth).join("/");
    button.textContent = depth ? layered(parts[depth - 1])[0] : "all";
    button.onclick = () => enter(name);
    line.append(depth ? " / " : "", button);
  }
  return line;
}

function picture(nodes, scope, enter) {
  const found = standing(nodes, scope), {sorted, rows, columns} = placed(found);
  const at = new Map(sorted.map((b) => [b.name, {x: MARGIN + columns.get(b.name) * ACROSS, y: MARGIN + rows.get(b.name) * DOWN}]));
  const width = Math.max(0, ...[...at.values()].map(({x}) => x)) + WIDTH + MARGIN;
  const height = Math.max(0, ...[...at.values()].map(({y}) => y)) + HEIGHT + MARGIN;
  const svg = shape("svg", {class: "graph-picture", viewBox: `0 0 ${width} ${height}`, width, height, role: "img"});
  const text = document.createElement("pre");
  const lines = found.edges.map(({ends, shape: made}) => {
    const line = shape("path", {d: curve(at.get(ends[0]), at.get(ends[1]))}, svg);
    shape("title", {}, line).textContent = made;
    return {ends, line};
  });
  for (const box of sorted) {
    const {x, y} = at.get(box.name), [name, below] = told(box, nodes);
    const group = shape("g", {class: box.kind}, svg);
    shape("rect", {x, y, width: WIDTH, height: HEIGHT, rx: 6}, group);
    shape("text", {class: "name", x: x + 10, y: y + 17}, group).textContent = short(name);
    shape("text", {x: x + 10, y: y + 32}, group).textContent = short(below);
    shape("title", {}, group).textContent = `${name}\n${below}`;
    group.addEventListener("click", () => {
      if (box.kind === "layer") return enter(box.name);
      for (const other of svg.querySelectorAll(".on")) other.classList.remove("on");
      group.classList.add("on");
      for (const {ends, line} of lines) if (ends.includes(box.name)) line.classList.add("on");
      if (box.kind === "operator") text.textContent = described(nodes[box.first]);
    });
  }
  const window = document.createElement("div");
  window.className = "graph";
  window.append(svg);
  return [window, text];
}

function described([path, kind, made, , attributes]) {
  const lines = Object.entries(attributes).map(([name, value]) => `  ${name} = ${value}`);
  return [`${kind}  ${made}`, path, ...lines].join("\n");
}
