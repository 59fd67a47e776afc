import { brand } from "#content/brand";
import { language } from "#content/language";
import { landing, type PageWords } from "#content/page-titles";
import { projects } from "#content/projects";
import { services } from "#content/services";
import { cardSize, socialCardImage } from "./social-card-image";

/** Returns the schema.org data of a page. It states only what the page's own text says too. */
export function structuredData(page: PageWords, site: URL) {
  const at = (path: string) => new URL(path, site).href;
  const organisation = { "@id": at("/#organization") };
  const website = { "@id": at("/#website") };
  const image = { "@type": "ImageObject", url: at(socialCardImage(page).path), ...cardSize };

  const graph: object[] = [
    {
      "@type": "Organization",
      ...organisation,
      name: brand.name,
      legalName: brand.legalName,
      slogan: brand.tagline,
      url: at("/"),
      email: brand.email,
      logo: { "@type": "ImageObject", url: at("/icon-512.png"), width: 512, height: 512 },
    },
    {
      "@type": "WebSite",
      ...website,
      name: brand.name,
      description: landing.description,
      url: at("/"),
      inLanguage: language,
      publisher: organisation,
    },
    {
      "@type": "WebPage",
      "@id": at(`${page.path}#webpage`),
      url: at(page.path),
      name: page.title,
      description: page.description,
      inLanguage: language,
      isPartOf: website,
      primaryImageOfPage: image,
    },
  ];
  if (page.path === landing.path) graph.push(...offered());
  if (page.article) {
    // The fields that Google's documentation of Article recommends.
    graph.push({
      "@type": "Article",
      "@id": at(`${page.path}#article`),
      headline: page.article.headline,
      description: page.description,
      datePublished: page.article.published.toISOString(),
      image: image.url,
      author: { "@type": "Organization", name: brand.name, url: at("/") },
      publisher: organisation,
      mainEntityOfPage: { "@id": at(`${page.path}#webpage`) },
    });
  }
  return { "@context": "https://schema.org", "@graph": graph };

  function offered() {
    return [
      ...services.map(({ slug, name, description }) => ({
        "@type": "Service",
        "@id": at(`/#service-${slug}`),
        name,
        description,
        url: at("/#services"),
        provider: organisation,
      })),
      ...projects.map(({ slug, name, description, category, link }) => ({
        "@type": category ? "SoftwareApplication" : "CreativeWork",
        "@id": at(`/#project-${slug}`),
        name,
        description,
        ...(category && { applicationCategory: category }),
        ...(link && { url: link.href }),
        creator: organisation,
      })),
    ];
  }
}

/** Returns JSON that is safe inside a `<script>`: it has no `<`, so it cannot end the element or open a comment. */
export function asScriptText(data: object): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}
