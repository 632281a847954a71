"use strict";
(() => {
  const PER_PAGE = 25;
  // As where bars are counted: a score that rounding left below the start of a bar is in that bar.
  const ROUNDING = 1e-9;
  const byId = (id) => document.getElementById(id);
  const read = (id) => JSON.parse(byId(id).textContent);
  const rows = read("data");
  const names = read("names");
  const about = read("about");
  const state = { search: "", sort: "worst", score: 0, system: 0, low: -Infinity, high: Infinity, page: 0, all: false };
  // The data of a segment for the selected score.
  const of = (row) => (state.score ? row.more[state.score - 1] : row.systems);

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

  const plain = (pieces) => pieces.filter((_, i) => i % 2 === 0).join("");
  // Character by character, so that places in the folded text correspond to places in the text.
  const folded = (character) => character.normalize("NFKD").toLowerCase();
  const fold = (text) => (/^[\x00-\x7f]*$/.test(text) ? text.toLowerCase() : Array.from(text, folded).join(""));
  const wanted = () => fold(state.search).split(/\s+/).filter(Boolean);

  // The places of the searched words in a text: [start, end, start, end, ...].
  function hits(text, words) {
    const places = [];
    if (!words.length) return places;
    const starts = [];
    let at = 0;
    for (const character of text) {
      for (let i = folded(character).length; i > 0; i--) starts.push(at);
      at += character.length;
    }
    starts.push(at);
    const search = fold(text);
    for (const word of words) {
      for (let i = search.indexOf(word); i >= 0; i = search.indexOf(word, i + word.length)) {
        let end = i + word.length;
        while (end < starts.length - 1 && starts[end] === starts[end - 1]) end++;
        places.push([starts[i], starts[end]]);
      }
    }
    places.sort(([a], [b]) => a - b);
    const merged = [];
    for (const [start, end] of places) {
      const last = merged.length - 1;
      if (last > 0 && start <= merged[last]) merged[last] = Math.max(merged[last], end);
      else merged.push(start, end);
    }
    return merged;
  }

  // `side` is the text, `other` the one that has the tokens joined to its own.
  function marked(pieces, side, other) {
    const text = element("p", "text");
    text.dir = "auto";
    Object.assign(text.dataset, { side, other });
    const places = hits(plain(pieces), wanted());
    let at = 0;
    let next = 0;
    for (let i = 0; i < pieces.length; i += 2) {
      const [mark, own, to, similarity] = [].concat(pieces[i + 1]);
      const node = mark ? element("mark", `${about[state.score].colours}${mark >> 1}${mark & 1 ? " common" : ""}`) : text;
      if (to !== undefined) {
        Object.assign(node.dataset, { own, to });
        node.title = similarity;
      }
      const end = at + pieces[i].length;
      let from = at;
      while (from < end) {
        // After an odd number of borders: inside of a hit.
        while (next < places.length && places[next] <= from) next++;
        const to = Math.min(end, next < places.length ? places[next] : end);
        const part = pieces[i].slice(from - at, to - at);
        node.append(next % 2 ? element("span", "hit", part) : part);
        from = to;
      }
      if (mark) text.append(node);
      at = end;
    }
    if (!pieces.length) text.append(element("em", "empty", "empty text"));
    return text;
  }

  function words(row) {
    if (row.words === undefined) {
      const [first] = row.systems;
      const sources = "source" in first ? [first.source] : [];
      const texts = [...row.systems.map((s) => s.text), ...sources, ...first.references];
      row.words = fold([row.label ?? "", ...texts.map(plain)].join("\n"));
    }
    return row.words;
  }

  function spread(row) {
    const scores = of(row).map((s) => s.score);
    return Math.max(...scores) - Math.min(...scores);
  }

  // The gain of a system over the first; for the first, that of the second.
  const gain = (row) => about[state.score].sign * (of(row)[state.system || 1].score - of(row)[0].score);
  const matching = (s) => (s.tokens ? s.matched / s.tokens : 0);
  const keyOf = {
    worst: (row, s) => [about[state.score].sign * s.score, matching(s)],
    best: (row, s) => [-about[state.score].sign * s.score, -matching(s)],
    file: (row) => [row.n, 0],
    longest: (row, s) => [-s.tokens, 0],
    shortest: (row, s) => [s.tokens, 0],
    lost: (row) => [gain(row), 0],
    gained: (row) => [-gain(row), 0],
    apart: (row) => [-spread(row), 0],
  };

  function chosen() {
    const searched = wanted();
    const kept = rows.filter((row) => {
      const score = of(row)[state.system].score;
      return score >= state.low - ROUNDING && score < state.high - ROUNDING && searched.every((word) => words(row).includes(word));
    });
    const keyed = kept.map((row) => [keyOf[state.sort](row, of(row)[state.system]), row]);
    keyed.sort(([a, x], [b, y]) => a[0] - b[0] || a[1] - b[1] || x.n - y.n);
    return keyed.map(([, row]) => row);
  }

  function labelled(kind, label, ...children) {
    return element("div", `line ${kind}`, element("div", "label", ...label), element("div", "body", ...children));
  }

  function prediction(system, index) {
    const name = element("bdi", "", names.length > 1 ? names[index] : system.references.length || "source" in system ? "Prediction" : "Text");
    const label = names.length > 1 ? [element("span", `swatch series${index % 6}`), name] : [name];
    const { unit, counted, full, digits } = about[state.score];
    const bar = full ? [meter(system.score / full, index)] : [];
    const score = element("p", "numbers", ...bar, element("strong", "", system.score.toFixed(digits)));
    const units = `${system.tokens} ${unit}${system.tokens === 1 ? "" : "s"}`;
    score.append(counted ? ` ${system.matched} of ${units} ${counted}` : ` ${units}`);
    const edits = system.edits ? [alignment(system.edits)] : [];
    return labelled("prediction", label, score, marked(system.text, `p${index}`, `r${system.best}`), ...edits);
  }

  function alignment(lines) {
    const node = element("pre", "alignment", lines.join("\n"));
    Object.assign(node, { dir: "auto", tabIndex: 0 });
    node.setAttribute("aria-label", "Alignment with the scored reference");
    return node;
  }

  function references(system) {
    const several = system.references.length > 1;
    return system.references.map((pieces, i) => {
      const label = [several ? `Reference ${i + 1}` : "Reference"];
      if (several && i === system.best) label.push(element("span", "badge", "scored"));
      return labelled("reference", label, marked(pieces, `r${i}`, `p${state.system}`));
    });
  }

  function source(system) {
    return "source" in system ? [labelled("reference", ["Source"], marked(system.source, "s", ""))] : [];
  }

  // Outlines a token and the one that it is joined to.
  function join(node, mark) {
    for (const one of node.querySelectorAll(".joined")) one.classList.remove("joined");
    if (!mark) return;
    const text = node.querySelector(`[data-side="${mark.parentNode.dataset.other}"]`);
    const best = text && text.querySelector(`[data-own="${mark.dataset.to}"]`);
    for (const one of [mark, best]) if (one) one.classList.add("joined");
  }

  function card(row) {
    const head = element("h3", "", `Segment ${row.n.toLocaleString("en")}`);
    if (row.label) head.append(" · ", element("bdi", "label", row.label));
    const systems = of(row);
    const node = element("li", "segment", head, ...systems.map(prediction), ...source(systems[0]), ...references(systems[state.system]));
    node.addEventListener("pointerover", (event) => join(node, event.target.closest("mark[data-to]")));
    if (systems.length > 1) {
      const by = systems[state.system || 1].score - systems[0].score;
      const sign = by > 0 ? "+" : by < 0 ? "\u2212" : "";
      head.append(element("span", "by", `difference ${sign}${Math.abs(by).toFixed(about[state.score].digits)}`));
    }
    node.dataset.segment = row.n;
    return node;
  }

  function show() {
    const found = chosen();
    const perPage = state.all ? Math.max(found.length, 1) : PER_PAGE;
    const nPages = Math.max(1, Math.ceil(found.length / perPage));
    state.page = Math.min(Math.max(state.page, 0), nPages - 1);
    const start = state.page * perPage;
    const end = Math.min(start + perPage, found.length);
    byId("list").replaceChildren(...found.slice(start, end).map(card));
    const shown = found.length ? `${start + 1} to ${end.toLocaleString("en")} of ` : "";
    byId("status").textContent = `${shown}${found.length.toLocaleString("en")} segment${found.length === 1 ? "" : "s"}`;
    byId("page").textContent = `Page ${state.page + 1} of ${nPages}`;
    byId("previous").disabled = state.page === 0;
    byId("next").disabled = state.page === nPages - 1;
    byId("pager").hidden = found.length <= PER_PAGE;
    byId("all").textContent = state.all ? `List ${PER_PAGE} a page` : `List all ${found.length.toLocaleString("en")}`;
    const printed = `Printed: ${end - start} of ${found.length.toLocaleString("en")} segments.`;
    byId("printed").textContent = end - start < found.length ? `${printed} To print all, choose "List all" below the list first.` : "";
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

  // The chosen bar, if any: it is labelled below its drawing and among the controls.
  function only(bin) {
    const isOn = bin !== null && bin.getAttribute("aria-pressed") !== "true";
    for (const other of bins) other.setAttribute("aria-pressed", String(isOn && other === bin));
    for (const label of document.querySelectorAll(".chosen")) label.hidden = true;
    byId("clear").hidden = !isOn;
    if (!isOn) return restart({ low: -Infinity, high: Infinity });
    const [low, high] = [Number(bin.dataset.low), Number(bin.dataset.high)];
    select(Number(bin.dataset.score));
    const places = about[state.score].digits - 2;
    const span = high === Infinity ? `${low.toFixed(places)} and more` : `${low.toFixed(places)} to ${high.toFixed(places)}`;
    restart({ low, high });
    const label = bin.closest("figure").querySelector(".chosen");
    const who = names.length > 1 ? ` of ${names[state.system]}` : "";
    label.firstElementChild.textContent = `Only segments with score${who} ${span} are listed below.`;
    label.hidden = false;
    byId("clear").textContent = `${about[state.score].title} ${span} only ✕`;
  }

  function select(score) {
    state.score = score;
    if (byId("score")) byId("score").value = String(score);
    document.querySelectorAll(".about-score").forEach((node, i) => { node.hidden = i !== score; });
  }

  function key(event) {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox";
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      byId("search").focus();
    } else if (event.key === "n" && !byId("next").disabled) turn(1);
    else if (event.key === "p" && !byId("previous").disabled) turn(-1);
  }

  const bins = document.querySelectorAll(".bin[role=button]");
  for (const bin of bins) {
    bin.addEventListener("click", () => only(bin));
    bin.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      only(bin);
    });
  }
  for (const button of document.querySelectorAll("#clear, .chosen button")) button.addEventListener("click", () => only(null));
  byId("score")?.addEventListener("change", (event) => {
    select(Number(event.target.value));
    only(null);
  });
  byId("search").addEventListener("input", (event) => restart({ search: event.target.value }));
  byId("sort").addEventListener("change", (event) => restart({ sort: event.target.value }));
  byId("system")?.addEventListener("change", (event) => {
    state.system = Number(event.target.value);
    only(null);
  });
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("previous").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));
  byId("all").addEventListener("click", () => {
    state.all = !state.all;
    turn(-state.page);
  });
  // Inside of another page, a link to a place would lead to a place of that page.
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("segments").focus({ preventScroll: true });
    byId("segments").scrollIntoView();
  });
  document.addEventListener("keydown", key);
  for (const node of [byId("controls"), document.querySelector(".keys")]) node.hidden = false;
  show();
})();
