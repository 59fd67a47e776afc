/** Specification, section 2: the unknown path is logged to the console. */
console.error("404: there is no page at", location.pathname);
