/** Texts of the second factor on the account page. */
export const secondFactorWords = {
  title: "Two-step login",
  lead: "With two-step login, you need both your password and a six-digit code from your phone. Nobody can log in with a stolen password alone.",
  begin: "Set it up",
  addAnother: "Add another device",
  most: "An account can have up to ten devices.",
  /** Shown to an administrator who has none, where the site asks for one. */
  required:
    "On this site, administrators need two-step login. You can open the contacts as soon as you have set it up.",
  toInbox: "Back to the contacts",
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
    removedLast: "Two-step login is off. From now on, you log in with just your password.",
    notRemoved: "The device could not be removed. Please try again.",
  },
  removal: {
    title: (name: string) => `Remove ${name}?`,
    text: "You will no longer be able to log in with codes from this device. Your other devices stay as they are.",
    last: "This is your last device. Without it, you log in with just your password.",
    codesEnd: "Your recovery codes will stop working too.",
    lastOfAdmin:
      "If administrators need two-step login on this site, you can’t open the contacts until you set it up again.",
    cancel: "Keep it",
    confirm: "Remove it",
  },
  naming: {
    title: "Name the device you’ll get the codes on",
    label: "Name",
    hint: "For example “Work phone”. The name helps you tell your devices apart.",
    /** The suggested name; further ones are numbered. */
    suggestion: "Phone",
    submit: "Continue",
    busy: "One moment…",
    cancel: "Cancel",
  },
  adding: {
    title: "Connect your app",
    app: "Open an authenticator app such as 2FAS, Aegis, Google Authenticator or Microsoft Authenticator. Many password managers can do this too.",
    scan: "In the app, add an account and scan this QR code:",
    /** The alternative text of the picture. */
    picture: "QR code for your authenticator app. The key below it contains the same secret.",
    here: "Is the app on this device?",
    open: "Open the app",
    secret: "Or enter this key in the app:",
    copy: "Copy the key",
    copied: "Key copied.",
    notCopied: "Your browser didn’t allow copying. Please select the text and copy it yourself.",
    code: "Code from the app",
    hint: "Six digits. A new code appears every 30 seconds.",
    submit: "Confirm",
    busy: "Checking…",
    malformed: "The code has six digits.",
    wrong:
      "This code is wrong. Enter the one that the app shows now. If that fails too, check that your phone sets its time automatically.",
    expired:
      "The QR code you were shown no longer works: more than five minutes have passed, or you made a new one in another window. Please start again.",
  },
  added: (name: string) => `${name} has been added. You can now log in with its codes.`,
  /** Shown where no recovery codes were made; a hosted project has none. */
  addedFirst: "Two-step login is on. Devices that were logged in without it have been logged out.",
  /** Where there are no recovery codes, a second device takes their place. */
  second: "Add a second device, such as a tablet. If you lose one, you can still log in with the other.",
  codes: {
    title: "Recovery codes",
    left: (left: number) =>
      `${left} of 10 left. If you lose your phone, ${left === 1 ? "this code logs" : "each of them logs"} you in once.`,
    none: "You have none. With recovery codes, you can still log in if you lose your phone.",
    make: "Make recovery codes",
    makeNew: "Make new codes",
    making: "Making codes…",
    notMade: "The recovery codes could not be made. Please try again.",
    confirm: {
      title: "Make ten new codes?",
      text: "Your old codes will stop working.",
      cancel: "Keep the old codes",
      confirm: "Make new codes",
    },
    shown: {
      title: "Save your recovery codes",
      first: "Two-step login is on. There’s just one thing left to do.",
      text: "If you lose your phone, each of these ten codes logs you in once. Keep them with your important papers or in your password manager. This is the only time we show them.",
      /** Stands above the codes in the file and on paper. */
      heading: (email: string, site: string) => `Recovery codes for ${email} at ${site}. Each one works once.`,
      copy: "Copy",
      copied: "Codes copied.",
      save: "Save as a file",
      file: "recovery-codes.txt",
      print: "Print",
      done: "I’ve saved them",
    },
    kept: "All done. Your account is now protected by your password and your phone.",
    renewed: "From now on, only your new recovery codes work.",
  },
  refusals: {
    mfa_factor_name_conflict: "You already have a device with this name. Please choose another one.",
    too_many_enrolled_mfa_factors: "An account can have up to ten devices.",
    insufficient_aal: "Please enter a code from your app first: you’ll find the button under “Two-step login”.",
  } as Readonly<Record<string, string>>,
  failed: "Something went wrong. Please try again in a moment.",
} as const;
