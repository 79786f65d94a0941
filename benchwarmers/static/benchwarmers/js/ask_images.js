// Pictures that go with a question: picked, pasted or dropped, shown small, and taken away again. Kept here and not in
// the file field, which a script cannot add to. What the server refuses is refused here already.
const TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const MOST_BYTES = 14_000_000;

export class Images {
  #files = [];
  #list;
  #say;

  constructor(form, list, field, say) {
    this.#list = list;
    this.#say = say;
    field.addEventListener("change", () => {
      this.add(field.files);
      field.value = "";
    });
    document.addEventListener("paste", (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (!files.length) return;
      event.preventDefault();
      this.add(files);
    });
    const over = (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      form.toggleAttribute("data-dropping", true);
    };
    form.addEventListener("dragenter", over);
    form.addEventListener("dragover", over);
    form.addEventListener("dragleave", (event) => {
      if (!form.contains(event.relatedTarget)) form.removeAttribute("data-dropping");
    });
    form.addEventListener("drop", (event) => {
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      form.removeAttribute("data-dropping");
      this.add(event.dataTransfer.files);
    });
  }

  // Puts the pictures into what is sent.
  fill(body) {
    body.delete("images");
    for (const file of this.#files) body.append("images", file, file.name);
  }

  add(files) {
    const problems = [];
    for (const file of files) {
      if (!TYPES.has(file.type)) problems.push(`${file.name || "?"} ${this.#list.dataset.wrong}`);
      else if (this.#bytes + file.size > MOST_BYTES) problems.push(this.#list.dataset.large);
      else this.#show(file);
    }
    this.#say([...new Set(problems)]);
  }

  get #bytes() {
    return this.#files.reduce((sum, file) => sum + file.size, 0);
  }

  #show(file) {
    this.#files.push(file);
    const item = document.createElement("li");
    const picture = document.createElement("img");
    picture.alt = file.name;
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      picture.src = reader.result;
    });
    reader.readAsDataURL(file);
    const away = document.createElement("button");
    away.type = "button";
    away.textContent = "×";
    away.setAttribute("aria-label", `${this.#list.dataset.remove} ${file.name}`);
    away.addEventListener("click", () => {
      this.#files.splice(this.#files.indexOf(file), 1);
      item.remove();
      this.#list.hidden = !this.#files.length;
    });
    item.append(picture, away);
    this.#list.append(item);
    this.#list.hidden = false;
  }
}
