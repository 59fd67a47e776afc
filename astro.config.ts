import { cp, glob, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@astrojs/react";
import frauncesRanges from "@fontsource/fraunces/unicode.json" with { type: "json" };
import figtreeRanges from "@fontsource-variable/figtree/unicode.json" with { type: "json" };
import type { AstroIntegration } from "astro";
import { defineConfig, fontProviders } from "astro/config";
import sharp from "sharp";
import { redirects } from "./content/redirects.ts";
import { refuseContentMistakes } from "./site/built-pages/check-content.ts";
import { problemsOf } from "./site/built-pages/check-pages.ts";
import { compressFolder } from "./site/built-pages/compress.ts";
import { policyDirectives } from "./site/built-pages/content-security-policy.ts";
import { browserFloor, finishPage } from "./site/built-pages/finish-page.ts";

const siteUrl = process.env.SITE_URL ?? "http://localhost:3000";
const backendUrl = process.env.PUBLIC_SUPABASE_URL;
const apiUrl = process.env.API_URL ?? "http://localhost:3000";

export default defineConfig({
  site: siteUrl,
  srcDir: "./site",
  publicDir: "./public",
  outDir: "./dist",
  trailingSlash: "never",
  redirects,
  build: {
    format: "file",
    // The styles are inlined into each page, so that no request for a stylesheet delays the first paint.
    inlineStylesheets: "always",
  },
  devToolbar: { enabled: false },
  markdown: { syntaxHighlight: false },
  integrations: [contentWithoutMistakes(), react(), hydrationAfterPaint(), fontLicences(), finishedPages()],
  security: { csp: { directives: [...policyDirectives(backendUrl)] } },
  fonts: [
    {
      name: "Fraunces",
      cssVariable: "--font-fraunces",
      provider: fontProviders.local(),
      options: {
        variants: [
          faceOf("@fontsource/fraunces/files/fraunces-latin-600-normal.woff2", "600", frauncesRanges.latin),
          faceOf("@fontsource/fraunces/files/fraunces-latin-ext-600-normal.woff2", "600", frauncesRanges["latin-ext"]),
        ],
      },
      fallbacks: ["Fraunces fallback", "Georgia", "serif"],
      // Astro's own fallbacks have one weight, and only fonts of Windows and macOS.
      optimizedFallbacks: false,
    },
    {
      name: "Figtree",
      cssVariable: "--font-figtree",
      provider: fontProviders.local(),
      options: {
        variants: [
          faceOf("@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2", "400 600", figtreeRanges.latin),
          faceOf(
            "@fontsource-variable/figtree/files/figtree-latin-ext-wght-normal.woff2",
            "400 600",
            figtreeRanges["latin-ext"],
          ),
        ],
      },
      fallbacks: ["Figtree fallback", "Figtree fallback on Android", "Arial", "sans-serif"],
      optimizedFallbacks: false,
    },
  ],
  vite: {
    // `server/settings.ts` alone reads `.env`, with other rules than Vite's, and passes on what belongs in the pages.
    envDir: false,
    build: { cssTarget: browserFloor },
    environments: {
      client: {
        build: {
          target: browserFloor,
          rolldownOptions: {
            output: {
              // Without "astro_astro_type_script_index_0_lang", which would be in each public page.
              entryFileNames: ({ name }) => `_astro/${name.split(".")[0]}.[hash].js`,
            },
          },
        },
      },
    },
    server: {
      // Long tests keep whole Debian systems there.
      watch: { ignored: ["**/.cache/**"] },
      proxy: Object.fromEntries(
        ["/rest/v1", "/auth/v1", "/contact", "/dev/mail"].map((path) => [path, { target: apiUrl }]),
      ),
    },
  },
});

/**
 * A file of a typeface as Astro takes it; a browser loads it for a page with characters of its ranges. The file's name begins
 * with a package, because Astro writes a hash of it into the pages: a path would give a build in another folder other bytes.
 */
function faceOf(file: string, weight: `${number}` | `${number} ${number}`, ranges: string) {
  const [first = "", ...others] = ranges.split(",");
  const unicodeRange: [string, ...string[]] = [first, ...others];
  return { src: [file] as [string], weight, style: "normal", display: "swap", unicodeRange } as const;
}

/** Before Astro reads the content, whose own errors name neither file nor line of most mistakes. */
function contentWithoutMistakes(): AstroIntegration {
  return {
    name: "content-without-mistakes",
    hooks: {
      "astro:config:setup": async ({ command }) => void (command === "build" && (await refuseContentMistakes())),
    },
  };
}

function hydrationAfterPaint(): AstroIntegration {
  const directive = { name: "painted", entrypoint: "./site/scripts/hydrate-after-paint.ts" };
  return {
    name: "hydration-after-paint",
    hooks: { "astro:config:setup": ({ addClientDirective }) => addClientDirective(directive) },
  };
}

/** Copies the licence texts into the build: the Open Font License requires its text beside the fonts. */
function fontLicences(): AstroIntegration {
  const licences = { fraunces: "@fontsource/fraunces", figtree: "@fontsource-variable/figtree" };
  return {
    name: "font-licences",
    hooks: {
      "astro:build:done": async ({ dir }) => {
        for (const [name, font] of Object.entries(licences))
          await cp(
            fileURLToPath(new URL(`./node_modules/${font}/LICENSE`, import.meta.url)),
            fileURLToPath(new URL(`fonts/LICENSE-${name}.txt`, dir)),
          );
      },
    },
  };
}

/** Finishes the pages, removes original pictures, compresses all texts, and refuses pages that would not show what they should. */
function finishedPages(): AstroIntegration {
  return {
    name: "finished-pages",
    hooks: {
      "astro:build:done": async ({ dir }) => {
        const folder = fileURLToPath(dir);
        // Jekyll, which GitHub Pages runs, leaves out folders that begin with an underscore.
        await writeFile(join(folder, ".nojekyll"), "");
        const built = await readFiles(folder, "**/*.html");
        const scripts = await readFiles(join(folder, "_astro"), "*.js");
        const pages = new Map([...built].map(([name, html]) => [name, finishPage(html)]));
        await removeOriginals(join(folder, "_astro"), [...pages.values(), ...scripts.values()].join());
        const sources = await readFiles(import.meta.dirname, "content/**/*.{md,ts}");
        const problems = problemsOf(pages, await findFiles(folder, "**"), sources);
        if (problems.length > 0) throw new Error(problems.join("\n"));
        for (const [name, html] of pages) await writeFile(join(folder, name), html);
        await compressFolder(folder);
      },
    },
  };
}

/**
 * An original may say where it was taken. Astro keeps one that no page names, and publishes one that it cannot make small.
 * `texts` are the pages with their styles, and the scripts.
 */
async function removeOriginals(folder: string, texts: string) {
  for (const name of await findFiles(folder, "*.*")) {
    if (/\.(css|js)$/.test(name)) continue;
    const written = name.replaceAll("&", "&amp;");
    const isNamed = [written, encodeURI(written)].some((each) => texts.includes(`/_astro/${each}`));
    if (!isNamed) await rm(join(folder, name));
    if (!isNamed || !/\.(avif|jpe?g|png|webp)$/i.test(name)) continue;
    const made = await sharp(join(folder, name))
      .metadata()
      .catch(() => undefined);
    if (!made || made.exif)
      throw new Error(
        `content/pictures/${name.replace(/\.[^.]+\.\w+$/, "")}: this picture cannot be made small. Save it again.`,
      );
  }
}

async function readFiles(cwd: string, pattern: string): Promise<Map<string, string>> {
  const names = await findFiles(cwd, pattern);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(cwd, name), "utf8")] as const)),
  );
}

async function findFiles(cwd: string, pattern: string): Promise<string[]> {
  return (await Array.fromAsync(glob(pattern, { cwd }))).map((name) => name.replaceAll("\\", "/"));
}
