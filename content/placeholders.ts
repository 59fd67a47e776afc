/**
 * What ships as an example, for each file of `content/`: a text of the file, and what to think of there.
 * `npm run placeholders` lists those that the file still has. Remove a line here if the text is right for you as it is.
 */
export const placeholders: Readonly<Record<string, readonly (readonly [text: string, advice: string])[]>> = {
  "brand.ts": [
    ['name: "Fernway"', "the company's name"],
    ['legalName: "Fernway Studio"', "the name in contracts and legal texts"],
    ["AI-driven marketing and product growth", "what the company does, in one line"],
    ["we measure what we grow", "the motto in the footer: keep it only if you do so"],
    ["hello@fernway.example", "an address that is reserved and reaches nobody"],
    ["1 Example Street", "a postal address that does not exist"],
    ['app: "Leaf & Trail"', "an app that does not exist; empty if you have none"],
    ["leaf-and-trail.example", "its address, which is reserved"],
    ['copyrightYear: "2025"', "the year in the footer"],
  ],
  "page-titles.ts": [["AI strategies that scale companies", "what search engines and tabs show"]],
  "landing.ts": [
    ['AI strategies", "that work"', "promises a result"],
    ["Growth should be organic", "what you believe, in large letters"],
    ["scale products internationally", "says that you work in several countries"],
    ["our own product portfolio", "says that you own products"],
    ["on products we own", "says that you own products"],
    ["Half an hour, free", "an offer that you must keep"],
  ],
  "services.ts": [["share the risk", "promises that you bear a part of the risk"]],
  "projects.ts": [
    ["Spot & Recall", "a product that does not exist"],
    ["Atlas Quest", "a product that does not exist"],
  ],
  "why-work-with-us.ts": [
    ["Millions of monthly views", "a number that you must be able to prove"],
    ["scale our own products", "says that you own products"],
  ],
  "people-and-customers.ts": [["of our own", "says that you own products"]],
  "contact.ts": [
    ["No scoring, no automated replies", "says how you read what people send"],
    ["It is free", "an offer that you must keep"],
  ],
  "case-studies/bicycle-maker.md": [["Example client", "a client that does not exist: remove the file"]],
  "case-studies/language-school.md": [["Example client", "a client that does not exist: remove the file"]],
  "imprint.ts": [["sections: []", "no imprint: fill it in if the law asks for one, as in Germany and Austria"]],
  "legal.ts": [
    ['privacyPolicy: { title: "Privacy policy", effectiveDate: "01.09.2025"', "the dates of your own text"],
    ['termsOfService: { title: "Terms of service", effectiveDate: "01.09.2025"', "the dates of your own text"],
  ],
  "legal/privacy-policy.md": [
    ["is a small consulting company", "says who you are"],
    ["The pages load nothing from other companies", "not true with a map, a video or statistics"],
    ["The companies that run our servers", "your providers: know their names, and have a contract with each"],
    ["aged 13 and over", "the age from which people may use it: your country may set another"],
    ["data protection authority", "the one where you are"],
  ],
  "legal/terms-of-service.md": [
    ["is a small consulting company", "says who you are"],
    ["if you are 13 or over", "the age from which people may use it: your country may set another"],
    ["We are fully liable for wilful", "what you are liable for: your country may set another rule"],
    ["law of the country in which", "the law that applies"],
  ],
};
