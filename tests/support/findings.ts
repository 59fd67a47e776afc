import type { Finding } from "#operations/doctor/finding";

/** Findings of the doctor as lines, as in "BROKEN SMTP_URL is not set". */
export const linesOf = (findings: readonly Finding[]) => findings.map(({ level, saw }) => `${level} ${saw}`);
