/** Given names and family names of the same kind; each meets each. A slash precedes what an email address has of a name. */
const names: readonly (readonly [first: string, second: string, separator?: ""])[] = [
  ["Emily, Marcus, Siobhán, Dwayne, Priscilla, Tom", "Carter, O’Brien, Whitfield, Nakamura-Jones"],
  ["Jürgen, Anneliese, Björn, Käthe", "Müller, Groß/gross, von der Heydt, Schäfer"],
  ["Zoë, François, Inès, Łukasz/lukasz, Małgorzata/malgorzata", "Lefèvre, Wiśniewski, Þórsdóttir/thorsdottir, Novák"],
  ["María José, João, Ximena, Íñigo", "Fernández de la Vega y Álvarez de Toledo/fernandez, Conceição, Ibáñez, Quispe"],
  ["Oluwaṣeun, Adaeze, Thandiwe, Kwabena", "Adébáyọ̀, Okonkwo, Dlamini, Mensah"],
  ["Nguyễn Thị, Trần Văn", "Hương, Tuấn, Ánh"],
  ["Олена/olena, Тарас/taras, Ганна/hanna, Борислав/borislav", "Шевченко/shevchenko, Ковальчук/kovalchuk"],
  ["Ελένη/eleni, Γιώργος/giorgos, Κατερίνα/katerina", "Παπαδοπούλου/papadopoulou, Νικολάου/nikolaou"],
  ["ليلى/layla, عمر/omar, فاطمة/fatima", "الحسيني/alhusseini, بن سعيد/bensaid"],
  ["נועה/noa, איתן/eitan", "לוי/levi, בן־דוד/bendavid"],
  ["Ayşe, İbrahim, Çağla", "Yıldız/yildiz, Öztürk"],
  ["अनन्या/ananya, राजेश/rajesh, Priya, கவிதா/kavitha", "शर्मा/sharma, Venkataraman, पाटिल/patil"],
  ["王/wang, 欧阳/ouyang, 陳/chen", "小明/xiaoming, 静怡/jingyi", ""],
  ["佐藤/sato, 長谷川/hasegawa", "さくら/sakura, 健太/kenta"],
  ["김/kim, 남궁/namgung", "지우/jiwoo, 서연/seoyeon", ""],
  ["Aino, Sølve/solve, Åsa, Mads", "Mäkinen, Sjöberg, Østergaard/ostergaard"],
  ["สมชาย/somchai, ნინო/nino, ሰላም/selam", "ศรีสุข/srisuk"],
];

/** A name without a family, one of a letter, and a very long one. */
const unusualNames =
  "Suharto, Ó, Dr. Wolfgang Maximilian Alexander Ferdinand Freiherr von und zu Hohenstein-Lichtenberg auf Wolfsegg/hohenstein";

const listOf = (text: string) =>
  text.split(", ").map((entry) => {
    const [written = "", ascii = written.normalize("NFD").replace(/[^a-z]/gi, "")] = entry.split("/");
    return { written, ascii: ascii.toLowerCase() };
  });

/** Each name with the part of an email address before the @. */
export const people = [
  ...names.flatMap(([first, second, separator = " "]) =>
    listOf(first).flatMap((one) =>
      listOf(second).map((other) => ({
        name: one.written + separator + other.written,
        mailbox: `${one.ascii}.${other.ascii}`,
      })),
    ),
  ),
  ...listOf(unusualNames).map(({ written, ascii }) => ({ name: written, mailbox: ascii })),
];

/** Companies with their domain, which is reserved for examples (RFC 2606), so no demo contact is a real person. */
export const companies: readonly (readonly [name: string, domain: string])[] = [
  ["Heron & Sons", "heron"],
  ["Northwind Outdoor", "northwind"],
  ["Müller Maschinenbau GmbH", "mueller-maschinenbau"],
  ["Fjord & Fell AS", "fjordfell"],
  ["株式会社 青空ソフト", "aozora"],
  ["Ковальчук і партнери", "kovalchuk"],
  ["شركة الواحة للتقنية", "alwaha"],
  ["Café Central", "cafecentral"],
  ["Clearwater Analytics Co-operative", "clearwater"],
  ["3rd Rock Robotics", "thirdrock"],
  ["Kite", "kite"],
  ["Quinta do Vale – Turismo Rural", "quintadovale"],
  ["Little Owl Kindergarten", "littleowl"],
  ["Rosenberg, Okafor & Lindqvist LLP", "rol-law"],
  ["Bundesverband der mittelständischen Anbieter digitaler Lern- und Naturerlebnisangebote für Kinder e. V.", "bmadln"],
];

/** What an administrator wrote about a contact. */
export const notes = [
  "Called back on Tuesday. Wants an offer for two workshops in spring.",
  "Budget is decided in January. Ask again then.",
  "Sent the offer (3 pages). Waiting.",
  "Not a fit: looks for an agency that also buys media.",
  "Offer accepted! Kick-off on the 14th, 10:00, their office.",
  "Wrote twice with two addresses; this is the one to answer.",
  "Asked for references from the health sector. Sent two.\n\nSecond call:\n– three teams, about 40 people\n– needs a data processing agreement first\n– decision by the board, not by our contact",
  "价格合适，等他们法务确认合同。",
  "No answer after two reminders. Archived.",
] as const;
