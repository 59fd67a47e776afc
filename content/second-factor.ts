/** Texts of the second factor on the account page. */
export const secondFactorWords = {
  title: "Second factor",
  lead: "With a second factor, logging in takes your password and a six-digit code that only your phone can show. A stolen password alone then opens nothing.",
  begin: "Set it up",
  addAnother: "Add another device",
  most: "An account can have ten devices at most.",
  /** Shown to an administrator who has none, where the site asks for one. */
  required: "This site asks administrators for a second factor. Your inbox opens as soon as you have set one up.",
  toInbox: "Back to the inbox",
  /** Shown in a session that has not used the second factor of its account. */
  verify: {
    text: "To change anything here, first enter a code from your app.",
    button: "Enter a code",
  },
  list: {
    since: "added",
    remove: "Remove",
    /** The accessible name of the button "Remove". */
    removeWhich: (name: string) => `Remove ${name}`,
    removing: "Removing…",
    removed: (name: string) => `${name} has been removed.`,
    removedLast: "The second factor has been removed. From now on your password alone is enough to log in.",
    notRemoved: "It could not be removed. Please try again.",
  },
  removal: {
    title: (name: string) => `Remove ${name}?`,
    text: "You will no longer be able to log in with codes from this device. Your other devices stay as they are.",
    last: "This is your last device. Without it, your password alone is enough to log in.",
    codesEnd: "Your recovery codes stop working too.",
    lastOfAdmin:
      "If this site asks administrators for a second factor, the inbox stays closed until you set up a new one.",
    cancel: "Keep it",
    confirm: "Remove it",
  },
  naming: {
    title: "Name the device",
    label: "Name",
    hint: "You will see it in this list and when you log in, for example “Work phone”.",
    /** The suggested name; further ones are numbered. */
    suggestion: "Phone",
    submit: "Continue",
    busy: "One moment…",
    cancel: "Cancel",
  },
  adding: {
    title: "Connect your app",
    app: "Open an authenticator app, for example 2FAS, Aegis, Google Authenticator or Microsoft Authenticator. Many password managers can do this too.",
    scan: "In the app, add an account and scan this picture:",
    /** The alternative text of the picture. */
    picture: "QR code for your authenticator app. The key below it holds the same secret.",
    here: "Is the app on this device?",
    open: "Open the app",
    secret: "Or type this key into it:",
    copy: "Copy the key",
    copied: "The key is copied.",
    notCopied: "Your browser did not let us copy. Please select the text and copy it yourself.",
    code: "Code from the app",
    hint: "Six digits. A new code appears every 30 seconds.",
    submit: "Confirm",
    busy: "Checking…",
    malformed: "The code has six digits.",
    wrong:
      "This code is not right. Type the one that the app shows now. If that fails too, check that your phone sets its time automatically.",
    expired:
      "This picture no longer works: more than five minutes have passed, or a new one was made in another window. Please start again.",
  },
  added: (name: string) => `${name} has been added. From now on you can log in with its codes.`,
  /** Shown where no recovery codes were made; a hosted project has none. */
  addedFirst: "Your second factor is set up. Devices that were logged in without it have been logged out.",
  /** Where there are no recovery codes, a second device takes their place. */
  second: "Add a second device, such as a tablet. If you lose this one, you can still log in with the other.",
  codes: {
    title: "Recovery codes",
    left: (left: number) => `${left} of 10 left. If you lose your phone, each of them logs you in once.`,
    none: "You have none. Make ten now: if you lose your phone, each of them logs you in once.",
    make: "Make recovery codes",
    makeNew: "Make new codes",
    making: "Making them…",
    notMade: "The recovery codes could not be made. Please try again.",
    confirm: {
      title: "Make ten new codes?",
      text: "The codes that you have kept until now stop working.",
      cancel: "Keep the old ones",
      confirm: "Make new ones",
    },
    shown: {
      title: "Keep your recovery codes",
      first: "Your second factor is set up. One thing is left.",
      text: "If you lose your phone, each of these ten codes logs you in once. Keep them with your important papers or in your password manager. We show them only this once.",
      /** Stands above the codes in the file and on paper. */
      heading: (email: string, site: string) => `Recovery codes of ${email} at ${site}. Each works once.`,
      copy: "Copy",
      copied: "The codes are copied.",
      save: "Save as a file",
      file: "recovery-codes.txt",
      print: "Print",
      done: "I have kept them",
    },
    kept: "Good. Your account is now protected by your password and your phone.",
    renewed: "From now on only your new recovery codes work.",
  },
  refusals: {
    mfa_factor_name_conflict: "You already have a device with this name. Please choose another one.",
    too_many_enrolled_mfa_factors: "An account can have ten devices at most.",
    insufficient_aal: "First enter a code from your app: the button is under “Second factor”.",
  } as Readonly<Record<string, string>>,
  failed: "That did not work. Please try again in a moment.",
} as const;
