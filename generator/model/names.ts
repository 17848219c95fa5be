/** Matches device names, which Windows reserves with any file extension. */
const WINDOWS_DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)$/

/**
 * Returns the folder of a model's files: its name in kebab-case, such as `post-like` for `PostLike`.
 * @param model a valid Prisma model name: a letter, then letters, digits and underscores
 */
export function folderName(model: string): string {
  const kebab = model
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/_+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/-$/, '')
    .toLowerCase()
  return WINDOWS_DEVICES.test(kebab) ? `${kebab}-model` : kebab
}

/** Returns the name of a model's delegate on the Prisma client, such as `postLike` for `PostLike`. */
export function delegateName(model: string): string {
  return model.charAt(0).toLowerCase() + model.slice(1)
}

/**
 * Returns the stem of a model's emitted identifiers, such as `postLike` for `PostLike` and `userProfile` for `user_profile`. A suffix is
 * always added, so that the result is not a reserved word or an imported name.
 */
export function identifierStem(model: string): string {
  return delegateName(model)
    .replace(/_+([A-Za-z])/g, (_, letter: string) => letter.toUpperCase())
    .replace(/_+(\d)/g, '_$1')
    .replace(/_+$/, '')
}

/** Compares names by code unit, so that the order does not depend on the locale. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
