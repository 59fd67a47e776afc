import { cp, glob, readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@astrojs/react";
import type { AstroIntegration } from "astro";
import { defineConfig, fontProviders } from "astro/config";
import { redirects } from "./content/redirects.ts";
import { policyDirectives } from "./site/built-pages/content-security-policy.ts";
import { rewritePage } from "./site/built-pages/rewrite-page.ts";
import { scopedNameOf } from "./site/built-pages/short-class-names.ts";
import { figtree, fraunces, subsetTypeface } from "./site/fonts/font-subsets.ts";

const siteUrl = process.env.SITE_URL ?? "http://localhost:3000";
const backendUrl = process.env.PUBLIC_SUPABASE_URL;
/** Modules that several islands share. Each would be a file to load, or divided among several. */
const sharedChunks = [
  { name: "calls", test: /\/site\/supabase\/(browser-storage|client|go-to-login|request|result|timeout)\.ts$/ },
  {
    name: "forms",
    test: /\/site\/(hooks\/use-form|components\/(busy-button|button|confirm-dialog|dialog|field|notice))\.tsx?$/,
  },
  {
    name: "queries",
    test: /\/(node_modules\/@tanstack\/.*|content\/library-advice|site\/(hooks\/(query-client|use-log-out-buttons)|supabase\/load-error))\.[jt]s$/,
  },
];
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
  integrations: [react(), hydrationAfterPaint(), fontLicences(), rewrittenPages()],
  security: { csp: { directives: [...policyDirectives(backendUrl)] } },
  fonts: [
    {
      name: "Fraunces",
      cssVariable: "--font-fraunces",
      provider: fontProviders.local(),
      options: { variants: await subsetTypeface(fraunces) },
      fallbacks: ["Fraunces fallback", "Georgia", "serif"],
      optimizedFallbacks: false,
    },
    {
      name: "Figtree",
      cssVariable: "--font-figtree",
      provider: fontProviders.local(),
      options: { variants: await subsetTypeface(figtree) },
      fallbacks: ["Figtree fallback", "Figtree fallback on Android", "Arial", "sans-serif"],
      optimizedFallbacks: false,
    },
  ],
  vite: {
    // `server/settings.ts` alone reads `.env`, with other rules than Vite's, and passes on what belongs in the pages.
    envDir: false,
    environments: {
      client: { build: { rolldownOptions: { output: { codeSplitting: { groups: sharedChunks } } } } },
    },
    css: { modules: { generateScopedName: scopedNameOf } },
    server: {
      // Long tests keep whole Debian systems there.
      watch: { ignored: ["**/.cache/**"] },
      proxy: Object.fromEntries(
        ["/rest/v1", "/auth/v1", "/contact", "/dev/mail"].map((path) => [path, { target: apiUrl }]),
      ),
    },
  },
});

function hydrationAfterPaint(): AstroIntegration {
  const directive = { name: "painted", entrypoint: "./site/scripts/hydrate-after-paint.ts" };
  return {
    name: "hydration-after-paint",
    hooks: { "astro:config:setup": ({ addClientDirective }) => addClientDirective(directive) },
  };
}

/** Copies the licence texts into the build: the Open Font License requires its text beside the fonts. */
function fontLicences(): AstroIntegration {
  const licences = { fraunces: fraunces.package, figtree: figtree.package };
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

/** Makes the built pages smaller. */
function rewrittenPages(): AstroIntegration {
  return {
    name: "rewritten-pages",
    hooks: {
      "astro:build:done": async ({ dir }) => {
        const cwd = fileURLToPath(dir);
        const scripts = new Map<string, string>();
        for await (const name of glob("_astro/*.js", { cwd }))
          scripts.set(basename(name), await readFile(new URL(name, dir), "utf8"));
        for await (const name of glob("**/*.html", { cwd })) {
          const page = new URL(name, dir);
          await writeFile(page, rewritePage(await readFile(page, "utf8"), scripts));
        }
      },
    },
  };
}
