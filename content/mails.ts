import { brand } from "./brand.ts";

const codeWords = "Or type this code, which is good for one hour";

/**
 * The mails to the owner of an account; supabase/templates/ has the same texts for a hosted Supabase project. Tests
 * compare the lifetimes in these texts with the server's code, and the templates with these texts.
 */
export const accountMails = {
  "confirm-address": {
    subject: `Confirm your email address for ${brand.name}`,
    paragraphs: [
      `Welcome to ${brand.name}.`,
      "Please confirm that this address is yours. The link works once, and for one day.",
    ],
    button: "Confirm my address",
    codeWords,
    remark:
      "You did not sign up? Then please do not confirm: the link would open an account that somebody else began. You can ignore this mail.",
  },
  "already-registered": {
    subject: `You already have an account at ${brand.name}`,
    paragraphs: [
      "Somebody, probably you, just signed up with this address.",
      "There is an account for it already, so nothing has changed. You can log in with the password you chose then.",
      "If it has slipped your mind, choose “Forgot password?” there, and we send you a link to a new one.",
    ],
    button: "Log in",
    remark: "It was not you? Then there is nothing to do: nobody learned that you have an account.",
  },
  recover: {
    subject: `Choose a new password for ${brand.name}`,
    paragraphs: [
      "Somebody, probably you, asked for a new password for the account with this address.",
      "Here you can choose one. The link works once, and for one hour.",
    ],
    button: "Choose a new password",
    codeWords,
    remark: "It was not you? Then you can ignore this mail: your password stays as it is.",
  },
  "choose-password": {
    subject: `Please choose a new password for ${brand.name}`,
    paragraphs: [
      "The people who run this site ask you to choose a new password for the account with this address. The one before no longer works, and all devices were logged out.",
      "Here you can choose one. The link works once, and for one hour.",
    ],
    button: "Choose a new password",
    codeWords,
    remark: "The hour is over? Then choose “Forgot password?” at the login, and we send you a new link.",
  },
  invite: {
    subject: `You are invited to ${brand.name}`,
    paragraphs: [
      `You are warmly invited to have an account at ${brand.name}.`,
      "Accept, and choose a password of your own. The link works once, and for one day.",
    ],
    button: "Accept the invitation",
    codeWords,
    remark: "You do not know what this is about? Then you can ignore this mail: without you, nothing happens.",
  },
  "password-changed": {
    subject: `Your password for ${brand.name} was changed`,
    paragraphs: [
      "The password of your account was changed just now, and all other devices were logged out.",
      "If that was you, there is nothing to do.",
    ],
    button: "To the login",
    remark: `It was not you? Then choose “Forgot password?” there at once: the new password you set puts everybody else out. If you need help, write to ${brand.email}.`,
  },
  "contacts-granted": {
    subject: `You can now read the contacts at ${brand.name}`,
    paragraphs: [
      `Your account at ${brand.name} may now read what visitors send through the contact form.`,
      "You find it there once you are logged in.",
    ],
    button: "To the contacts",
    remark: `You did not expect this, or did not choose the password yourself? Then choose “Forgot password?” at the login: the new password you set puts everybody else out. If you need help, write to ${brand.email}.`,
  },
  "change-email": {
    subject: `Confirm the new email address of your account at ${brand.name}`,
    paragraphs: [
      "Somebody, probably you, asked for another email address for an account here. Both addresses have to confirm it, so this mail went to both.",
      "The link works once, and for one day.",
    ],
    button: "Confirm the change",
    codeWords,
    remark:
      "You did not ask for this? Then please do not confirm, and nothing changes. If the account is yours, choose a new password: somebody else may be logged in to it.",
  },
  "new-email-taken": {
    subject: `This address already has an account at ${brand.name}`,
    paragraphs: [
      "Somebody, perhaps you, asked to use this address for another account here.",
      "There is an account with this address already, so nothing has changed.",
    ],
    button: "Log in",
    remark: "It was not you? Then there is nothing to do: nobody learned that you have an account.",
  },
  "email-changed": {
    subject: `The email address of your account at ${brand.name} was changed`,
    paragraphs: [
      "Your account has another email address now. From now on you log in with that one, and mails about the account go there.",
      "If that was you, there is nothing to do.",
    ],
    button: "To the login",
    remark: `It was not you? Then somebody could read your mails: change the password of your mailbox, and write to ${brand.email}.`,
  },
  reauthenticate: {
    subject: `Your code for ${brand.name}`,
    paragraphs: ["Somebody, probably you, is about to change the password of your account and asked for a code."],
    button: "To your account",
    codeWords: "Type this code there, which is good for one hour",
    remark:
      "It was not you? Then somebody else is logged in to your account: end all other sessions there and choose a new password.",
  },
  "new-device": {
    subject: `A new device logged in to your account at ${brand.name}`,
    paragraphs: ["Somebody, probably you, just logged in on a device that is new to us."],
    button: "See where you are logged in",
    remark:
      "It was not you? Then somebody knows your password or reads your emails: log in, end all other sessions and choose a new password at once. After a link or code from an email, change the password of your mailbox first.",
  },
  "second-factor-added": {
    subject: `A second factor was added to your account at ${brand.name}`,
    paragraphs: [
      "Logging in to your account takes your password and a code from an authenticator app. All devices that have not given a code are logged out.",
      "If that was you, there is nothing to do.",
    ],
    button: "To your account",
    remark: `It was not you? Then somebody knows your password. Write to ${brand.email} at once.`,
  },
  "second-factor-removed": {
    subject: `A second factor of your account at ${brand.name} was removed`,
    paragraphs: [
      "A second factor of your account was removed. If it was the last one, your password alone is enough to log in.",
      "If that was you, or you asked for it, there is nothing to do.",
    ],
    button: "To your account",
    remark: `It was not you? Then log in, end all other sessions, choose a new password and set up the second factor again. If you need help, write to ${brand.email}.`,
  },
  "recovery-code-used": {
    subject: `A recovery code of your account at ${brand.name} was used`,
    paragraphs: [
      "Somebody, probably you, just logged in with one of your recovery codes. That code is used up.",
      "If your phone is gone, remove it from your account and set up a new one.",
    ],
    button: "To your account",
    remark: `It was not you? Then log in, end all other sessions, choose a new password and make new recovery codes at once. If you need help, write to ${brand.email}.`,
  },
} as const;
