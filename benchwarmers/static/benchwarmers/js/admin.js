// The theme that was chosen for the pages, in the admin too. Runs before anything is drawn; without it the system's holds.
"use strict";
document.documentElement.dataset.theme = document.querySelector('meta[name="bench-theme"]').content;
