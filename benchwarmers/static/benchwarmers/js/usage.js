// Draws the plot of usage again with a scale and a legend that follows the pointer. Without it the drawing stays that
// the server sent, and the table says the same.
"use strict";
(() => {
  const place = document.getElementById("usage-plot");
  const told = document.getElementById("usage-numbers");
  if (!place || !told || !window.uPlot) return;
  const { show, days, series } = JSON.parse(told.textContent);
  const DAY = 86400;
  const HEIGHT = 260;

  const colour = (name) => getComputedStyle(place).getPropertyValue(name).trim();
  const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });
  const money = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
  const write = (value) => (value == null ? "–" : show === "cost" ? `$${money.format(value)}` : compact.format(value));
  const format = (options) => {
    const form = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
    return (day) => form.format(day * 1000);
  };
  const short = format({ day: "numeric", month: "short" });
  const long = format({ weekday: "short", day: "numeric", month: "long", year: "numeric" });

  // Each layer is drawn from the floor to its top, the highest first, so that the lower ones cover it.
  const tops = [];
  series.forEach((one, at) => tops.push(one.counts.map((count, day) => count + (at ? tops[at - 1][day] : 0))));
  const layers = series.map((one, at) => ({ ...one, top: tops[at], fill: () => colour(`--use-${one.place}`) })).reverse();

  const bars = uPlot.paths.bars({ size: [0.8, 64] });
  const axis = { stroke: () => colour("--ink-2"), font: `12px ${colour("--text")}` };
  const lines = { stroke: () => colour("--line"), width: 1 };
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      padding: [8, 8, 0, 0],
      tzDate: (day) => uPlot.tzDate(new Date(day * 1000), "Etc/UTC"),
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      scales: {
        x: { range: () => [days[0] - DAY / 2, days[days.length - 1] + DAY / 2] },
        y: { range: (_, __, top) => [0, top || 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          ticks: lines,
          incrs: [1, 2, 7, 14, 30, 61, 91, 182, 365].map((number) => number * DAY),
          values: (_, ticks) => ticks.map(short),
        },
        { ...axis, grid: lines, ticks: { show: false }, gap: 4, size: 48, values: (_, ticks) => ticks.map(write) },
      ],
      series: [
        { label: "Day", value: (_, day) => (day == null ? "–" : long(day)) },
        ...layers.map((one) => ({
          label: one.name,
          fill: one.fill,
          width: 0,
          paths: bars,
          points: { show: false },
          value: (_, __, ___, at) => write(at == null ? null : one.counts[at]),
        })),
      ],
      legend: { markers: { width: 0, fill: (_, at) => layers[at - 1]?.fill() ?? "transparent" } },
      hooks: { draw: [() => (place.dataset.drawn = colour("--ground"))] },
    },
    [days, ...layers.map((one) => one.top)],
    (made, start) => {
      made.root.setAttribute("role", "img");
      made.root.setAttribute("aria-labelledby", "use-says");
      place.replaceChildren(made.root);
      start();
    },
  );

  new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT })).observe(place);
  const again = () => plot.redraw(false, true);
  new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
})();
