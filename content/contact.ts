/** Texts of the contact form and the next steps beside it; its messages are in `messages.ts`. */
export const contactWords = {
  name: "Name",
  company: "Company",
  email: "Email",
  interest: "What are you interested in?",
  /** Values and labels are fixed (docs/specification.md#interests). */
  interests: [
    { value: "consulting", label: "Consulting", line: "We advise and work inside your team." },
    { value: "co-development", label: "Co-development", line: "We build the product together." },
    { value: "partnerships", label: "Partnerships", line: "We join forces over channels or markets." },
  ],
  send: "Send",
  sending: "Sending...",
  data: {
    start:
      "We keep these answers and the time you sent them, to reply to you and for nothing else. How, and for how long, is in our ",
    link: { label: "privacy policy", href: "/privacy-policy" },
    end: ".",
  },
  next: {
    title: "What happens next",
    steps: [
      { name: "A person reads it", text: "No scoring and no automatic sequence. One of us reads what you sent." },
      {
        name: "We write back",
        text: "You get an email with two or three questions, or an honest word that we are not the right ones.",
      },
      {
        name: "We talk for half an hour",
        text: "A call about your product and your numbers. It costs nothing and obliges you to nothing.",
      },
    ],
  },
  mail: "Would you rather use your own words?",
} as const;
