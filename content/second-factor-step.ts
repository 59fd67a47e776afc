/** Texts of the second factor at the login. Those of the account page are apart, so that no page loads both. */
export const secondFactorStepWords = {
  title: "One more step",
  text: "Open your authenticator app and enter the code it shows for this account.",
  which: "Which device do you have with you?",
  unnamed: "Authenticator app",
  label: "Code from the app",
  hint: "Six digits. A new code appears every 30 seconds.",
  malformed: "The code from the app has six digits.",
  wrong:
    "This code is wrong or has already been used. Enter the next one that the app shows. If that fails too, check that your phone sets its time automatically.",
  submit: "Login",
  busy: "Checking…",
  lost: "Lost your phone?",
  someoneElse: "Use another account",
  ended: "Your session has ended. Please log in again.",
  recovery: {
    title: "Without your phone",
    text: "When you set up the app, you saved some recovery codes. Each of them logs you in once.",
    label: "Recovery code",
    hint: "Sixteen letters and digits. Dashes, spaces and capitals don’t matter.",
    malformed: "Please enter one of your recovery codes.",
    wrong: "This code is wrong or has already been used. Each recovery code works once.",
    /** Shown where the account has no recovery codes; a hosted project never has any. */
    none: "This account has no recovery codes, so you can’t log in without the app.",
    ask: "Ask the people who run this site to remove the app from your account; an administrator can put you in touch with them. After that, you can log in with just your password and set up a new phone.",
    /** Stands before `ask`, below the form. */
    noCode: "No recovery code either?",
    back: "Use the app instead",
  },
} as const;
