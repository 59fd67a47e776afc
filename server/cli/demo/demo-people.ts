/** A part of a name as it is written, and in the letters of an email address. */
type NamePart = readonly [written: string, ascii: string];

interface Culture {
  given: readonly NamePart[];
  family: readonly NamePart[];
  /** The order and the separator of the two parts. */
  write: (given: string, family: string) => string;
}

const givenFirst = (given: string, family: string) => `${given} ${family}`;
const familyFirst = (given: string, family: string) => `${family}${given}`;

/** Each given name meets each family name of its culture, so these lists are more than 200 people. */
export const cultures: readonly Culture[] = [
  {
    given: [
      ["Emily", "emily"],
      ["Marcus", "marcus"],
      ["Siobhán", "siobhan"],
      ["Dwayne", "dwayne"],
      ["Priscilla", "priscilla"],
      ["Tom", "tom"],
    ],
    family: [
      ["Carter", "carter"],
      ["O’Brien", "obrien"],
      ["Whitfield", "whitfield"],
      ["Nakamura-Jones", "nakamura.jones"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["Jürgen", "juergen"],
      ["Anneliese", "anneliese"],
      ["Björn", "bjoern"],
      ["Käthe", "kaethe"],
    ],
    family: [
      ["Müller", "mueller"],
      ["Groß", "gross"],
      ["von der Heydt", "vonderheydt"],
      ["Schäfer", "schaefer"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["Zoë", "zoe"],
      ["François", "francois"],
      ["Inès", "ines"],
      ["Łukasz", "lukasz"],
      ["Małgorzata", "malgorzata"],
      ["Ægir", "aegir"],
    ],
    family: [
      ["Lefèvre", "lefevre"],
      ["Wiśniewski", "wisniewski"],
      ["Þórsdóttir", "thorsdottir"],
      ["Novák", "novak"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["María José", "mariajose"],
      ["João", "joao"],
      ["Ximena", "ximena"],
      ["Íñigo", "inigo"],
    ],
    family: [
      ["Fernández de la Vega y Álvarez de Toledo", "fernandez"],
      ["Conceição", "conceicao"],
      ["Ibáñez", "ibanez"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["Oluwaṣeun", "oluwaseun"],
      ["Adaeze", "adaeze"],
      ["Thandiwe", "thandiwe"],
      ["Kwabena", "kwabena"],
    ],
    family: [
      ["Adébáyọ̀", "adebayo"],
      ["Okonkwo", "okonkwo"],
      ["Dlamini", "dlamini"],
      ["Mensah", "mensah"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["Nguyễn Thị", "nguyen.thi"],
      ["Trần Văn", "tran.van"],
      ["Đặng Hoàng", "dang.hoang"],
    ],
    family: [
      ["Hương", "huong"],
      ["Tuấn", "tuan"],
      ["Ánh", "anh"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["Олена", "olena"],
      ["Тарас", "taras"],
      ["Ганна", "hanna"],
      ["Борислав", "borislav"],
    ],
    family: [
      ["Шевченко", "shevchenko"],
      ["Ковальчук", "kovalchuk"],
      ["Петров", "petrov"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["Ελένη", "eleni"],
      ["Γιώργος", "giorgos"],
      ["Κατερίνα", "katerina"],
    ],
    family: [
      ["Παπαδοπούλου", "papadopoulou"],
      ["Νικολάου", "nikolaou"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["ليلى", "layla"],
      ["عمر", "omar"],
      ["فاطمة", "fatima"],
      ["يوسف", "youssef"],
    ],
    family: [
      ["الحسيني", "alhusseini"],
      ["بن سعيد", "bensaid"],
      ["منصور", "mansour"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["נועה", "noa"],
      ["איתן", "eitan"],
    ],
    family: [
      ["לוי", "levi"],
      ["בן־דוד", "bendavid"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["Ayşe", "ayse"],
      ["İbrahim", "ibrahim"],
      ["Çağla", "cagla"],
    ],
    family: [
      ["Yıldız", "yildiz"],
      ["Öztürk", "ozturk"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["अनन्या", "ananya"],
      ["राजेश", "rajesh"],
      ["Priya", "priya"],
      ["கவிதா", "kavitha"],
    ],
    family: [
      ["शर्मा", "sharma"],
      ["Venkataraman", "venkataraman"],
      ["पाटिल", "patil"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["小明", "xiaoming"],
      ["静怡", "jingyi"],
      ["子涵", "zihan"],
    ],
    family: [
      ["王", "wang"],
      ["欧阳", "ouyang"],
      ["陳", "chen"],
    ],
    write: familyFirst,
  },
  {
    given: [
      ["さくら", "sakura"],
      ["健太", "kenta"],
      ["美咲", "misaki"],
    ],
    family: [
      ["佐藤 ", "sato"],
      ["長谷川 ", "hasegawa"],
    ],
    write: familyFirst,
  },
  {
    given: [
      ["지우", "jiwoo"],
      ["민준", "minjun"],
      ["서연", "seoyeon"],
    ],
    family: [
      ["김", "kim"],
      ["박", "park"],
      ["남궁", "namgung"],
    ],
    write: familyFirst,
  },
  {
    given: [
      ["Lupita", "lupita"],
      ["Andrés", "andres"],
      ["Itzel", "itzel"],
      ["Wayra", "wayra"],
    ],
    family: [
      ["Quispe", "quispe"],
      ["Hernández", "hernandez"],
      ["Muñoz", "munoz"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["Aino", "aino"],
      ["Sølve", "solve"],
      ["Åsa", "asa"],
      ["Mads", "mads"],
    ],
    family: [
      ["Mäkinen", "makinen"],
      ["Sjöberg", "sjoberg"],
      ["Østergaard", "ostergaard"],
    ],
    write: givenFirst,
  },
  {
    given: [
      ["สมชาย", "somchai"],
      ["มาลี", "malee"],
    ],
    family: [["ศรีสุข", "srisuk"]],
    write: givenFirst,
  },
  {
    given: [
      ["ნინო", "nino"],
      ["გიორგი", "giorgi"],
    ],
    family: [["ბერიძე", "beridze"]],
    write: givenFirst,
  },
  { given: [["ሰላም", "selam"]], family: [["ተስፋዬ", "tesfaye"]], write: givenFirst },
];

/** Names without a family, of one letter and of 117 characters. */
export const unusualPeople: readonly NamePart[] = [
  ["Suharto", "suharto"],
  ["Ó", "o"],
  [
    "Dr. Wolfgang Maximilian Alexander Ferdinand Freiherr von und zu Hohenstein-Lichtenberg auf Wolfsegg, Vorstandssprecher",
    "hohenstein",
  ],
];

/** Companies with their domain, which is reserved for examples (RFC 2606), so no demo contact is a real person. */
export const companies: readonly NamePart[] = [
  ["Heron & Sons", "heron"],
  ["Northwind Outdoor", "northwind"],
  ["Müller Maschinenbau GmbH", "mueller-maschinenbau"],
  ["Atelier Lumière", "lumiere"],
  ["Fjord & Fell AS", "fjordfell"],
  ["株式会社 青空ソフト", "aozora"],
  ["Ковальчук і партнери", "kovalchuk"],
  ["Bàn Tay Vàng", "bantayvang"],
  ["شركة الواحة للتقنية", "alwaha"],
  ["Café Central", "cafecentral"],
  ["Clearwater Analytics Co-operative", "clearwater"],
  ["3rd Rock Robotics", "thirdrock"],
  ["Kite", "kite"],
  ["Stadtwerke Oberammergau", "stadtwerke"],
  ["한빛 교육", "hanbit"],
  ["Quinta do Vale – Turismo Rural", "quintadovale"],
  ["Little Owl Kindergarten", "littleowl"],
  ["Savanna Health Partners", "savanna"],
  ["Δελφοί Ταξίδια", "delphi"],
  ["Rosenberg, Okafor & Lindqvist LLP", "rol-law"],
  ["Mapwright", "mapwright"],
  [
    "Bundesverband der mittelständischen Anbieter digitaler Lern- und Naturerlebnisangebote für Kinder und Jugendliche in Deutschland, Österreich und Schweiz e. V.",
    "bmadln",
  ],
  ["हिमालय ट्रेक्स", "himalaya"],
  ["Green Lantern Games", "greenlantern"],
];

/** The mail providers of people who write without a company. */
export const privateDomains = ["post.example", "mail.example", "inbox.example"] as const;

/** What an administrator wrote about a contact. */
export const notes = [
  "Called back on Tuesday. Wants an offer for two workshops in spring.",
  "Met at the conference in Lyon; knows our case studies. Very friendly.",
  "Budget is decided in January. Ask again then.",
  "Sent the offer (3 pages). Waiting.",
  "Not a fit: looks for an agency that also buys media.",
  "Offer accepted! Kick-off on the 14th, 10:00, their office.",
  "Wrote twice with two addresses; this is the one to answer.",
  "Speaks German and Turkish. Prefers the phone, mornings only.",
  "Asked for references from the health sector. Sent two.\n\nSecond call:\n– three teams, about 40 people\n– needs a data processing agreement first\n– decision by the board, not by our contact",
  "Student, writes a thesis about co-development. Answered with the two articles.",
  "价格合适，等他们法务确认合同。",
  "Partner programme: interested, but only for the Nordic countries.",
  "No answer after two reminders. Archived.",
] as const;

/** Companies of contacts that advertise instead of asking. */
export const spammers: readonly NamePart[] = [
  ["Best SEO Rank 1 Guaranteed", "seo-rank"],
  ["Crypto Yield Partners", "yield"],
  ["Cheap Backlinks 24/7", "backlinks"],
  ["Global Lead Lists Ltd", "leadlists"],
];
