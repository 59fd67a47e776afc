/** Given names and family names of the same kind; each meets each. */
const families = [
  ["Emily, Marcus, Siobhán, Dwayne", "Carter, O’Brien, Whitfield, Nakamura-Jones"],
  ["Jürgen, Anneliese, Björn, Ayşe", "Müller, Schäfer, von der Heydt, Öztürk"],
  ["Zoë, François, Ximena, João", "Lefèvre, Novák, Ibáñez, Fernández de la Vega y Álvarez de Toledo"],
  ["Thandiwe, Kwabena, Oluwaṣeun", "Adébáyọ̀, Okonkwo, Mensah"],
  ["Олена, Тарас, Ганна", "Шевченко, Ковальчук"],
  ["ليلى, عمر", "الحسيني, بن سعيد"],
  ["अनन्या, Priya, கவிதா", "शर्मा, Venkataraman"],
  ["さくら, 健太", "佐藤, 長谷川"],
].map((lists) => lists.map((list) => list.split(", ")));

/** Names without a space, one of a letter, and a very long one. */
const unusualNames = [
  ...["Suharto", "Ó", "王小明", "欧阳静怡", "김지우", "สมชาย"],
  "Dr. Wolfgang Maximilian Alexander Ferdinand Freiherr von und zu Hohenstein-Lichtenberg auf Wolfsegg",
];

const namesOf = ([given = [], family = []]: string[][]) =>
  given.flatMap((one) => family.map((other) => `${one} ${other}`));

/** Each name with the part of an email address before the @. */
export const people = [...families.flatMap(namesOf), ...unusualNames].map((name, index) => {
  const latin = name.normalize("NFD").replace(/[^a-z ]/gi, "");
  return { name, mailbox: latin.trim().toLowerCase().split(" ", 2).join(".") || `guest${index}` };
});

/** Companies with their domain, which is reserved for examples (RFC 2606), so no demo contact is a real person. */
export const companies = [
  ["Heron & Sons", "heron"],
  ["株式会社 青空ソフト", "aozora"],
  ["Ковальчук і партнери", "kovalchuk"],
  ["شركة الواحة للتقنية", "alwaha"],
  ["3rd Rock Robotics", "thirdrock"],
  ["Rosenberg, Okafor & Lindqvist LLP", "rol-law"],
  ["Bundesverband der mittelständischen Anbieter digitaler Lern- und Naturerlebnisangebote für Kinder e. V.", "bmadln"],
] as const;

/** What an administrator wrote about a contact. */
export const notes = [
  "Called back on Tuesday. Wants an offer for two workshops in spring.",
  "Not a fit: looks for an agency that also buys media.",
  "Asked for references from the health sector. Sent two.\n\nSecond call:\n– three teams, about 40 people\n– needs a data processing agreement first\n– decision by the board, not by our contact",
  "价格合适，等他们法务确认合同。",
] as const;
