/** Texts of the chart above the list of contacts. Numbers arrive with their separators. */
export const chartWords = {
  title: "Contacts per week",
  total: (total: string, weeks: number) => `${total} in ${weeks} weeks`,
  thisWeek: (contacts: string) => `${contacts} this week`,
  all: "All",
  table: "As a table",
  caption: "Contacts per week and interest, without spam. Weeks start on Monday (UTC).",
  week: "Week of",
} as const;
