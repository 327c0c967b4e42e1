"use strict";
// Links between the picture and the lists, search, sorting, long texts on demand. Without it the
// page is readable, less LLVM IR and assembly.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const chapters = all(".chapter");

function show(chapter) {
  for (const each of chapters) each.hidden = each !== chapter;
  for (const tab of all("header nav a"))
    tab.classList.toggle("on", tab.hash === "#" + chapter.id);
}

// An entry, or a chapter, that a link names.

function reveal(id) {
  const target = document.getElementById(id);
  if (!target) return;
  show(target.closest(".chapter"));
  if (!target.classList.contains("entry")) return;
  for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  target.classList.remove("out");
  // What lies on the way gets its size only now, so the first place may not be the last.
  requestAnimationFrame(() => target.scrollIntoView({ block: "center" }));
  select(target);
}

function select(entry) {
  const chapter = entry.closest(".chapter");
  for (const e of all(".selected", chapter)) e.classList.remove("selected");
  for (const e of all(".edge.on", chapter)) e.classList.remove("on");
  entry.classList.add("selected");
  const numbers = new Set(entry.dataset.nodes.split(" ").filter(Boolean));
  const nodes = [...numbers].map((n) => document.getElementById(`${chapter.id}-n${n}`));
  for (const node of nodes) node.classList.add("selected");
  for (const edge of all(".edge", chapter))
    if (numbers.has(edge.dataset.from) || numbers.has(edge.dataset.to)) edge.classList.add("on");
  if (nodes.length) center(nodes[0]);
}

function center(node) {
  const pane = node.closest(".picture");
  const box = node.getBoundingClientRect(), frame = pane.getBoundingClientRect();
  pane.scrollBy({
    left: box.left + box.width / 2 - frame.left - frame.width / 2,
    top: box.top + box.height / 2 - frame.top - frame.height / 2,
  });
}

addEventListener("hashchange", () => reveal(location.hash.slice(1)));
addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (link && link.getAttribute("href") === location.hash) reveal(location.hash.slice(1));
});

// Long texts.

addEventListener(
  "toggle",
  (event) => {
    const id = event.target.dataset.text;
    if (!id || event.target.querySelector("pre")) return;
    const pre = document.createElement("pre");
    pre.textContent = document.getElementById(id).textContent.replaceAll("<\\/", "</");
    event.target.append(pre);
  },
  true,
);

// Search: entries that hold all words stay.

const search = document.getElementById("search"), found = document.getElementById("found");
const texts = new WeakMap();
let waiting;

function textOf(entry) {
  if (!texts.has(entry)) texts.set(entry, entry.textContent.toLowerCase());
  return texts.get(entry);
}

function find() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const chapter of chapters) {
    const matching = new Set();
    for (const entry of all(".entry", chapter)) {
      const fits = words.every((word) => textOf(entry).includes(word));
      entry.classList.toggle("out", !fits);
      if (!fits || !words.length) continue;
      if (!chapter.hidden) count += 1;
      for (const n of (entry.dataset.nodes || "").split(" ")) matching.add(n);
    }
    chapter.classList.toggle("searching", words.length > 0);
    all(".node", chapter).forEach((node, n) => node.classList.toggle("match", matching.has(String(n))));
  }
  found.textContent = words.length ? `${count} found` : "";
}

search.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(find, 120);
});
addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== search) {
    event.preventDefault();
    search.focus();
  }
});

// Sorting of kernels.

for (const button of all(".sorting button"))
  button.addEventListener("click", () => {
    const key = button.dataset.sort, sign = key === "order" ? 1 : -1;
    const block = button.closest(".block");
    const kernels = all(".kernel", block);
    kernels.sort((a, b) => sign * (a.dataset[key] - b.dataset[key]));
    block.append(...kernels);
    for (const each of all(".sorting button", block)) each.classList.toggle("on", each === button);
  });

// Size of the picture.

for (const pane of all(".picture")) {
  const svg = pane.querySelector("svg");
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  pane.parentElement.style.setProperty("--picture", `${+width + 16}px`);
  let scale = 1;
  const zoom = (to) => {
    scale = Math.min(3, Math.max(0.05, to));
    svg.setAttribute("width", width * scale);
    svg.setAttribute("height", height * scale);
  };
  const fit = () => zoom(Math.min(pane.clientWidth / width, pane.clientHeight / height));
  const tools = document.createElement("div");
  tools.className = "tools";
  for (const [label, act] of [
    ["+", () => zoom(scale * 1.25)],
    ["−", () => zoom(scale / 1.25)],
    ["width", () => zoom(pane.clientWidth / width)],
    ["all", fit],
  ]) {
    const button = document.createElement("button");
    button.textContent = label;
    button.addEventListener("click", act);
    tools.append(button);
  }
  pane.prepend(tools);
  pane.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(scale * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
    },
    { passive: false },
  );
  if (width > pane.clientWidth) zoom(Math.max(0.6, pane.clientWidth / width));
}

const named = location.hash && document.getElementById(location.hash.slice(1));
if (chapters.length) show(named ? named.closest(".chapter") : chapters[0]);
if (named) reveal(named.id);
document.documentElement.dataset.ready = "yes";
