/** Texts of the second factor on the account page. */
export const secondFactorWords = {
  title: "Second factor",
  lead: "With a second factor, signing in takes your password and a six-digit code that only your phone can show. A stolen password alone then opens nothing.",
  begin: "Set it up",
  addAnother: "Add another device",
  most: "Ten devices are the most that an account can have.",
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
    removed: (name: string) => `${name} is removed.`,
    removedLast: "The second factor is removed. From now on your password alone signs you in.",
    notRemoved: "This could not be removed. Please try again.",
  },
  removal: {
    title: (name: string) => `Remove ${name}?`,
    text: "Codes from this device will no longer sign you in. Your other devices stay as they are.",
    last: "This is your last one. Without it your password alone signs you in, and your recovery codes end too.",
    lastOfAdmin:
      "If this site asks administrators for a second factor, the inbox stays closed until you set up a new one.",
    cancel: "Keep it",
    confirm: "Remove it",
  },
  naming: {
    title: "Name the device",
    label: "Name",
    hint: "You will see it in this list and when you sign in, for example “Work phone”.",
    /** The suggested name; further ones are numbered. */
    suggestion: "Phone",
    submit: "Continue",
    busy: "One moment…",
    cancel: "Cancel",
  },
  adding: {
    title: "Connect your app",
    app: "Open an authenticator app. Your password manager may be one; 2FAS, Aegis, Google Authenticator and Microsoft Authenticator are others.",
    scan: "Add an account there and scan this picture:",
    /** The alternative text of the picture. */
    picture: "QR code for your authenticator app. The key below it says the same.",
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
      "This code is not right. Type the one that the app shows now; if that fails too, let your phone set its clock by itself.",
    expired: "More than five minutes have passed, so this picture no longer counts. Let us make a new one.",
  },
  added: (name: string) => `${name} is added. Its codes sign you in from now on.`,
  /** Shown where no recovery codes were made; a hosted project has none. */
  addedFirst: "Your second factor is set up. Devices that were signed in without it are signed out.",
  /** Where there are no recovery codes, a second device takes their place. */
  second: "Add a second device, such as a tablet. If this one is lost, the other still signs you in.",
  codes: {
    title: "Recovery codes",
    left: (left: number) => `${left} of 10 left. If your phone is lost, each of them signs you in once.`,
    none: "You have none. Make ten now: if your phone is lost, each of them signs you in once.",
    make: "Make recovery codes",
    makeNew: "Make new codes",
    making: "Making them…",
    notMade: "The recovery codes could not be made. Please try again.",
    confirm: {
      title: "Make ten new codes?",
      text: "The codes that you have kept so far stop working.",
      cancel: "Keep the old ones",
      confirm: "Make new ones",
    },
    shown: {
      title: "Keep your recovery codes",
      first: "Your second factor is set up. One thing is left.",
      text: "If your phone is lost, each of these ten codes signs you in once. Keep them with your important papers or in your password manager. They are shown only this time.",
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
    renewed: "Your new recovery codes count from now on.",
  },
  refusals: {
    mfa_factor_name_conflict: "You already have a device with this name. Please choose another one.",
    too_many_enrolled_mfa_factors: "Ten devices are the most that an account can have.",
    insufficient_aal: "First enter a code from your app: the button is under “Second factor”.",
  } as Readonly<Record<string, string>>,
  failed: "That did not work. Please try again in a moment.",
} as const;
