import { about } from "#content/landing";
import { projects } from "#content/projects";
import { reasons } from "#content/reasons";
import { services } from "#content/services";
import type { Grid, LayoutRow } from "./layout-problems.ts";

export const widths = [360, 768, 1440] as const;
type Width = (typeof widths)[number];

/**
 * The grid at each window width, in pixels. The content has 12 columns and is at most 76rem wide. The gap between two
 * columns grows with the window. The margins grow with the window up to 4rem, and further once the content is 76rem
 * wide.
 */
export const grids: Record<Width, Grid> = {
  360: { left: 24, right: 336, gap: 15.8 },
  768: { left: 36.6, right: 731.4, gap: 18.7 },
  1440: { left: 112, right: 1328, gap: 29.4 },
};

type Columns = readonly (readonly [first: number, last: number])[];

const whole: Columns = [[1, 12]];
const halves: Columns = [
  [1, 6],
  [7, 12],
];
const thirds: Columns = [
  [1, 4],
  [5, 8],
  [9, 12],
];
const quarters: Columns = [
  [1, 3],
  [4, 6],
  [7, 9],
  [10, 12],
];
/** The notes are left and right of a stem in turn; each begins beside the one before. */
const aboutNotes: LayoutRow = [
  ["#about li:nth-child(1)", 1, undefined],
  ["#about li:nth-child(2)", undefined, 12],
];

/** The columns of the services in each row, by how many there are. */
export const serviceRows: Record<768 | 1440, Record<number, Columns[]>> = {
  768: { 3: [halves, whole], 4: [halves], 5: [halves, halves, whole], 6: [halves] },
  1440: { 3: [thirds], 4: [quarters], 5: [thirds, halves], 6: [thirds] },
};

const footer: LayoutRow[] = [[["body > footer p", 1, undefined]], [["body > footer nav", undefined, undefined]]];
const footerInOneRow: LayoutRow = [
  ["body > footer p", 1, undefined],
  ["body > footer nav", undefined, 12],
];

/** The first project is as wide as the window; its words keep to the grid. */
const firstProject: LayoutRow[] = [
  [["#current-projects article h4", 1, undefined]],
  [["#current-projects article > div:last-child", 1, undefined]],
];

/** The others stand in pairs where a window has room for two; one without a neighbour has the whole width. */
const pairsOfProjects: Columns[] = [
  [
    [1, 7],
    [8, 12],
  ],
  [
    [1, 5],
    [6, 12],
  ],
];
const isEven = projects.length % 2 === 0;
const otherProjects = sideBySide(
  "#current-projects article ~ div > article",
  projects.length - 1,
  isEven ? [...pairsOfProjects.slice(0, projects.length / 2 - 1), whole] : pairsOfProjects,
);

/** Below the figure and its label, the reason that they prove is the first in its row. */
const reasonsIn = (columns: Columns): LayoutRow[] => [
  [["#why-work-with-us li span", 1, undefined]],
  ...sideBySide("#why-work-with-us li", reasons.length, [columns], " h3"),
];

export const landing: Record<Width, LayoutRow[]> = {
  360: [
    [
      ["header a", 1, undefined],
      ["header [popovertarget=menu]", undefined, undefined],
    ],
    [["#hero h1", 1, 12]],
    [["#hero p", 1, undefined]],
    [["#hero figure", undefined, undefined]],
    [["#about h2", 1, 12]],
    ...stack("#about li", about.principles.length),
    [["#services h2", 1, 12]],
    ...stack("#services li", services.length),
    [["#services ul + p", 1, 12]],
    [["#case-studies h2", 1, 12]],
    ...firstProject,
    ...stack("#current-projects article ~ div > article", projects.length - 1),
    [["#why-work-with-us h2", 1, 12]],
    [["#why-work-with-us strong", 1, 12]],
    [["#why-work-with-us li h3", 1, undefined]],
    ...numbersOf(reasons)
      .slice(1)
      .map((number): LayoutRow => [[`#why-work-with-us li:nth-child(${number})`, 1, undefined]]),
    [["#contact form", 1, 12]],
    [["#contact aside", 1, 12]],
    ...footer,
  ],
  768: [
    [
      ["header a", 1, undefined],
      ["header [popovertarget=menu]", undefined, undefined],
    ],
    {
      over: [
        ["#hero h1", 1, 8],
        ["#hero figure", 5, 12],
      ],
    },
    [["#about h2", 1, 12]],
    aboutNotes,
    [["#services h2", 1, 12]],
    ...sideBySide("#services li", services.length, serviceRows[768][services.length] ?? []),
    [["#services ul + p", 1, 12]],
    [["#case-studies h2", 1, undefined]],
    ...firstProject,
    ...otherProjects,
    [["#why-work-with-us h2", 1, 12]],
    [["#why-work-with-us strong", 1, 12]],
    ...reasonsIn(halves),
    [["#contact h2", 1, 12]],
    [
      ["#contact form", 1, 7],
      ["#contact aside", 8, 12],
    ],
    footerInOneRow,
  ],
  1440: [
    [
      ["header a", 1, undefined],
      ["header nav", undefined, 12],
    ],
    {
      over: [
        ["#hero h1", 1, 8],
        ["#hero figure", 6, 12],
      ],
    },
    [["#about h2", 1, undefined]],
    aboutNotes,
    [["#services h2", 1, 12]],
    [["#services h2 + p", 1, undefined]],
    ...sideBySide("#services li", services.length, serviceRows[1440][services.length] ?? []),
    [["#services ul + p", 1, 12]],
    [
      ["#case-studies h2", 1, 7],
      ["#case-studies h2 + p", 8, 12],
    ],
    ...firstProject,
    ...otherProjects,
    [["#why-work-with-us h2", 1, 12]],
    [["#why-work-with-us strong", 1, 12]],
    ...reasonsIn(quarters),
    [
      ["#contact h2", 1, 7],
      ["#contact h2 ~ p", 9, 12],
    ],
    [
      ["#contact form", 1, 7],
      ["#contact aside", 9, 12],
    ],
    ...footer,
  ],
};

export const auth: Record<Width, LayoutRow[]> = {
  360: [[["main h1", 1, 12]], [["main form", 1, 12]], [["main section > div:last-child p", 1, 12]], ...footer],
  768: [
    [
      ["main form", 1, 6],
      ["main section > div:last-child", 8, 12],
    ],
    footerInOneRow,
  ],
  1440: [
    [
      ["main form", 1, 6],
      ["main section > div:last-child", 8, 12],
    ],
    footerInOneRow,
  ],
};

/** At 768 px the page is one centred column. It is as wide as the text, so its edges are on no column of the grid. */
export const legal: Record<Width, LayoutRow[]> = {
  360: [[["main h1", 1, 12]], [["main article > div", 1, 12]], ...footer],
  768: [[["main h1", undefined, undefined]], [["main article > div", undefined, undefined]], footerInOneRow],
  1440: [
    [
      ["main h1", 1, 4],
      ["main article > div", 6, undefined],
    ],
    ...footer,
  ],
};

function stack(selector: string, count: number): LayoutRow[] {
  return Array.from({ length: count }, (_, at): LayoutRow => [[`${selector}:nth-child(${at + 1})`, 1, 12]]);
}

/**
 * Puts the items, or the part of each that `part` selects, in rows. Each entry of `rows` lists the first and last column of
 * every item in that row. After the last entry, the first is used again.
 */
export function sideBySide(selector: string, count: number, rows: readonly Columns[], part = ""): LayoutRow[] {
  const filled: LayoutRow[] = [];
  for (let number = 1; number <= count; ) {
    const columns = rows[filled.length % rows.length]?.slice(0, count - number + 1) ?? [];
    filled.push(columns.map(([first, last]) => [`${selector}:nth-child(${number++})${part}`, first, last]));
  }
  return filled;
}

/** Returns the numbers of the items. They begin with 1, as in the CSS selector `:nth-child`. */
function numbersOf(items: readonly unknown[]): number[] {
  return items.map((_, at) => at + 1);
}
