// Finds sections that hold all the words; titles count more than text. Without script the book reads as well.
(() => {
  const box = document.querySelector("search");
  const input = box.querySelector("input");
  const list = box.querySelector("ol");
  const root = box.dataset.root;
  const MOST = 20; // results
  const AROUND = 60; // characters shown on each side of a word
  box.hidden = false;

  const excerpt = (text, word) => {
    const at = Math.max(0, text.toLowerCase().indexOf(word));
    const from = Math.max(0, at - AROUND);
    return (from > 0 ? "…" : "") + text.slice(from, at + word.length + AROUND) + "…";
  };
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.replaceChildren();
    if (words.length === 0) return;
    const found = [];
    for (const [page, id, title, text] of BOOK) {
      const [high, low] = [title.toLowerCase(), text.toLowerCase()];
      if (!words.every((w) => high.includes(w) || low.includes(w))) continue;
      const weight = words.reduce((sum, w) => sum + 20 * high.includes(w) + Math.min(5, low.split(w).length - 1), 0);
      found.push({ page, id, title, text, weight });
    }
    found.sort((a, b) => b.weight - a.weight);
    for (const { page, id, title, text } of found.slice(0, MOST)) {
      const link = document.createElement("a");
      link.href = `${root}${page}.html#${id}`;
      link.textContent = title;
      const words_around = document.createElement("small");
      words_around.textContent = excerpt(text, words[0]);
      const item = document.createElement("li");
      item.append(link, words_around);
      list.append(item);
    }
    if (found.length === 0) {
      const item = document.createElement("li");
      item.textContent = "Nothing found.";
      list.append(item);
    }
  };
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") list.querySelector("a")?.click();
    if (event.key === "Escape") { input.value = ""; show(); input.blur(); }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== input) { event.preventDefault(); input.focus(); }
  });
  // a result on a phone closes the contents
  list.addEventListener("click", () => { document.getElementById("menu").checked = false; });
  document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "center" });
})();
