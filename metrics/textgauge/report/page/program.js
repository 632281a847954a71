"use strict";
(() => {
  const PER_PAGE = 25;
  const byId = (id) => document.getElementById(id);
  const read = (id) => JSON.parse(byId(id).textContent);
  const rows = read("data");
  const names = read("names");
  const state = { search: "", sort: "worst", system: 0, low: 0, high: Infinity, page: 0 };

  // Texts become text nodes and nothing else: no string is ever parsed as markup.
  function element(name, className, ...children) {
    const node = document.createElement(name);
    if (className) node.className = className;
    node.append(...children);
    return node;
  }

  function shape(name, attributes) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  }

  function meter(share, series) {
    const svg = shape("svg", { class: "meter", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" });
    svg.append(
      shape("rect", { class: "rail", width: 100, height: 6 }),
      shape("rect", { class: `bar series${series % 6}`, width: Math.min(share, 1) * 100, height: 6 }),
    );
    return svg;
  }

  function marked(pieces) {
    const text = element("p", "text");
    text.dir = "auto";
    for (let i = 0; i < pieces.length; i += 2) {
      const mark = pieces[i + 1];
      const classes = `m${mark >> 1}${mark & 1 ? " common" : ""}`;
      text.append(mark ? element("mark", classes, pieces[i]) : pieces[i]);
    }
    if (!pieces.length) text.append(element("em", "empty", "empty text"));
    return text;
  }

  const plain = (pieces) => pieces.filter((_, i) => i % 2 === 0).join("");
  const fold = (text) => text.normalize("NFKC").toLowerCase();

  function words(row) {
    if (row.words === undefined) {
      const texts = [...row.systems.map((s) => s.text), ...row.systems[0].references];
      row.words = fold(texts.map(plain).join("\n"));
    }
    return row.words;
  }

  function spread(row) {
    const scores = row.systems.map((s) => s.score);
    return Math.max(...scores) - Math.min(...scores);
  }

  const keyOf = {
    worst: (row, s) => [s.score, s.tokens ? s.matched / s.tokens : 0],
    best: (row, s) => [-s.score, s.tokens ? -s.matched / s.tokens : 0],
    file: (row) => [row.n, 0],
    longest: (row, s) => [-s.tokens, 0],
    shortest: (row, s) => [s.tokens, 0],
    apart: (row) => [-spread(row), 0],
  };

  function chosen() {
    const wanted = fold(state.search).split(/\s+/).filter(Boolean);
    const kept = rows.filter((row) => {
      const score = row.systems[state.system].score;
      return score >= state.low && score < state.high && wanted.every((word) => words(row).includes(word));
    });
    const keyed = kept.map((row) => [keyOf[state.sort](row, row.systems[state.system]), row]);
    keyed.sort(([a, x], [b, y]) => a[0] - b[0] || a[1] - b[1] || x.n - y.n);
    return keyed.map(([, row]) => row);
  }

  function labelled(kind, label, ...children) {
    return element("div", `line ${kind}`, element("div", "label", ...label), element("div", "body", ...children));
  }

  function prediction(system, index) {
    const name = element("bdi", "", names.length > 1 ? names[index] : "Prediction");
    const label = names.length > 1 ? [element("span", `swatch series${index % 6}`), name] : [name];
    const score = element("p", "numbers", meter(system.score, index), element("strong", "", system.score.toFixed(4)));
    score.append(` ${system.matched} of ${system.tokens} tokens match`);
    return labelled("prediction", label, score, marked(system.text));
  }

  function references(system) {
    const several = system.references.length > 1;
    return system.references.map((pieces, i) => {
      const label = [several ? `Reference ${i + 1}` : "Reference"];
      if (several && i === system.best && state.hasBest) label.push(element("span", "badge", "scored"));
      return labelled("reference", label, marked(pieces));
    });
  }

  function card(row) {
    const head = element("h3", "", `Segment ${row.n.toLocaleString("en")}`);
    const node = element("li", "segment", head, ...row.systems.map(prediction), ...references(row.systems[state.system]));
    node.dataset.segment = row.n;
    return node;
  }

  function show() {
    const found = chosen();
    const nPages = Math.max(1, Math.ceil(found.length / PER_PAGE));
    state.page = Math.min(Math.max(state.page, 0), nPages - 1);
    const start = state.page * PER_PAGE;
    byId("list").replaceChildren(...found.slice(start, start + PER_PAGE).map(card));
    const shown = found.length ? `${start + 1} to ${Math.min(start + PER_PAGE, found.length)} of ` : "";
    byId("status").textContent = `${shown}${found.length.toLocaleString("en")} segment${found.length === 1 ? "" : "s"}`;
    byId("page").textContent = `Page ${state.page + 1} of ${nPages}`;
    byId("previous").disabled = state.page === 0;
    byId("next").disabled = state.page === nPages - 1;
    byId("pager").hidden = nPages === 1;
  }

  function restart(changes) {
    Object.assign(state, changes, { page: 0 });
    show();
  }

  function turn(by) {
    state.page += by;
    show();
    byId("segments").scrollIntoView();
  }

  function only(bin) {
    const wasOn = bin.getAttribute("aria-pressed") === "true";
    for (const other of document.querySelectorAll(".bin[role=button]")) other.setAttribute("aria-pressed", "false");
    const low = Number(bin.dataset.low);
    const high = Number(bin.dataset.high);
    bin.setAttribute("aria-pressed", String(!wasOn));
    const clear = byId("clear");
    clear.hidden = wasOn;
    clear.textContent = `Score ${low.toFixed(2)} to ${high.toFixed(2)} only ✕`;
    clear.onclick = () => only(bin);
    // The last bar holds the perfect score as well.
    restart(wasOn ? { low: 0, high: Infinity } : { low, high: high >= 1 ? Infinity : high });
  }

  function theme() {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = document.documentElement.dataset.theme || (isDark ? "dark" : "light");
    document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  }

  function key(event) {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      byId("search").focus();
    } else if (event.key === "n" && !byId("next").disabled) turn(1);
    else if (event.key === "p" && !byId("previous").disabled) turn(-1);
  }

  state.hasBest = document.body.dataset.best === "true";
  for (const bin of document.querySelectorAll(".bin[role=button]")) {
    bin.addEventListener("click", () => only(bin));
    bin.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      only(bin);
    });
  }
  byId("search").addEventListener("input", (event) => restart({ search: event.target.value }));
  byId("sort").addEventListener("change", (event) => restart({ sort: event.target.value }));
  byId("system")?.addEventListener("change", (event) => restart({ system: Number(event.target.value) }));
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("previous").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));
  byId("theme").addEventListener("click", theme);
  document.addEventListener("keydown", key);
  for (const node of [byId("theme"), byId("controls"), document.querySelector(".keys")]) node.hidden = false;
  show();
})();
