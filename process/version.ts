import packageFile from "../package.json" with { type: "json" };

/** The version of this code (CHANGELOG.md). Backups, the doctor and a starting server name it. */
export const version: string = packageFile.version;
