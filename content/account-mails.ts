import { brand } from "./brand.ts";

const codeWords = "Or enter this code on the login page (valid for one hour)";

/**
 * The mails to the owner of an account; supabase/templates/ has the same texts for a hosted Supabase project. Tests
 * compare the lifetimes in these texts with the server's code, and the templates with these texts.
 */
export const accountMails = {
  "confirm-address": {
    subject: `Confirm your email address for ${brand.name}`,
    paragraphs: [
      `Welcome to ${brand.name}.`,
      "Please confirm that this email address is yours. The link works once and is valid for one day.",
    ],
    button: "Confirm my address",
    codeWords,
    remark:
      "If you didn’t sign up, please ignore this email and don’t confirm. Someone else may have used your address to sign up.",
  },
  "already-registered": {
    subject: `You already have an account with ${brand.name}`,
    paragraphs: [
      "Someone, probably you, has just tried to sign up with this email address.",
      "You already have an account, so nothing has changed. You can log in with your existing password.",
      "If you’ve forgotten it, choose “Forgot password?” on the login page and we’ll email you a link to choose a new one.",
    ],
    button: "Go to the login page",
    remark: "If it wasn’t you, there’s nothing you need to do. We haven’t told anyone that you have an account.",
  },
  recover: {
    subject: `Choose a new password for your ${brand.name} account`,
    paragraphs: [
      "Someone, probably you, has asked for a new password for the account with this email address.",
      "You can choose one here. The link works once and is valid for one hour.",
    ],
    button: "Choose a new password",
    codeWords,
    remark: "If it wasn’t you, you can ignore this email. Your password stays the same.",
  },
  "choose-password": {
    subject: `Please choose a new password for your ${brand.name} account`,
    paragraphs: [
      `The people who run the ${brand.name} website have asked you to choose a new password. Your old one no longer works, and you have been logged out on all devices.`,
      "You can choose a new one here. The link works once and is valid for one hour.",
    ],
    button: "Choose a new password",
    codeWords,
    remark: "If the link has expired, choose “Forgot password?” on the login page and we’ll send you a new one.",
  },
  invite: {
    subject: `Your invitation from ${brand.name}`,
    paragraphs: [
      `We have created your ${brand.name} account.`,
      "Accept the invitation and choose your own password. The link works once and is valid for one day.",
    ],
    button: "Accept the invitation",
    codeWords,
    remark: "If you weren’t expecting this, you can ignore this email. Nothing happens unless you accept.",
  },
  "password-changed": {
    subject: `The password of your ${brand.name} account has changed`,
    paragraphs: [
      "The password for your account has just been changed, and all other devices have been logged out.",
      "If that was you, there’s nothing you need to do.",
    ],
    button: "Go to the login page",
    remark: `If it wasn’t you, choose “Forgot password?” on the login page straight away. Setting a new password logs everyone else out. If you need help, write to ${brand.email}.`,
  },
  "contacts-granted": {
    subject: `You can now see who has written to ${brand.name}`,
    paragraphs: [
      `With your ${brand.name} account, you can now read what visitors send through the contact form.`,
      "You’ll find it under “Contacts” once you have logged in.",
    ],
    button: "Open the contacts",
    remark: `If you weren’t expecting this, or didn’t choose your password yourself, choose “Forgot password?” on the login page. Setting a new password logs everyone else out. If you need help, write to ${brand.email}.`,
  },
  "change-email": {
    subject: `Confirm the new email address for your ${brand.name} account`,
    paragraphs: [
      `Someone, probably you, has asked to change the email address of an account with ${brand.name}. The change has to be confirmed from both addresses, so we have sent this email to each of them.`,
      "The link works once and is valid for one day.",
    ],
    button: "Confirm the change",
    // Only other clients take this code: no page of the site has a field for it.
    codeWords: "If you are asked for a code, enter this one (valid for one hour)",
    remark:
      "If it wasn’t you, please don’t confirm, and nothing will change. If the account is yours, choose a new password: someone else may be logged in to it.",
  },
  "new-email-taken": {
    subject: `This address already has an account with ${brand.name}`,
    paragraphs: [
      `Someone, perhaps you, has asked to use this email address for another ${brand.name} account.`,
      "It already belongs to an account, so nothing has changed.",
    ],
    button: "Go to the login page",
    remark: "If it wasn’t you, there’s nothing you need to do. We haven’t told anyone that you have an account.",
  },
  "email-changed": {
    subject: `The email address of your ${brand.name} account has changed`,
    paragraphs: [
      "Your account now has a different email address. From now on, log in with the new address; emails about your account will go there too.",
      "If that was you, there’s nothing you need to do.",
    ],
    button: "Go to the login page",
    remark: `If it wasn’t you, someone may be able to read your emails. Change your email password and write to ${brand.email}.`,
  },
  "second-factor-added": {
    subject: `A two-step login device was added to your ${brand.name} account`,
    paragraphs: [
      "A device for two-step login has been added to your account. To log in, you need your password and a code from an authenticator app. Any device that was logged in without such a code has been logged out.",
      "If that was you, there’s nothing you need to do.",
    ],
    button: "Go to your account",
    remark: `If it wasn’t you, someone else has got into your account. Write to ${brand.email} straight away.`,
  },
  "second-factor-removed": {
    subject: `A two-step login device was removed from your ${brand.name} account`,
    paragraphs: [
      "A device for two-step login has been removed from your account. If none is left, you now log in with just your password.",
      "If that was you, or you asked for it, there’s nothing you need to do.",
    ],
    button: "Go to your account",
    remark: `If it wasn’t you, log in and choose a new password, which logs out all other devices, and set up two-step login again. If you need help, write to ${brand.email}.`,
  },
  "recovery-code-used": {
    subject: `A recovery code was used for your ${brand.name} account`,
    paragraphs: [
      "Someone, probably you, has just logged in with one of your recovery codes. That code can’t be used again.",
      "If you’ve lost your phone, remove it from your account and set up a new one.",
    ],
    button: "Go to your account",
    remark: `If it wasn’t you, log in straight away and choose a new password, which logs out all other devices, and make new recovery codes. If you need help, write to ${brand.email}.`,
  },
} as const;
