/** Names that Windows keeps for devices, whatever their ending. */
const WINDOWS_DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)$/

/**
 * The folder of a model's files: its name in kebab-case, `PostLike` → `post-like`.
 * @param model a model's name as Prisma allows it (a letter, then letters, digits and underscores)
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

/** The name of a model's delegate on the Prisma client: `PostLike` → `postLike`. */
export function delegateName(model: string): string {
  return model.charAt(0).toLowerCase() + model.slice(1)
}

/**
 * What the emitted identifiers of a model begin with: `PostLike` → `postLike`, `user_profile` → `userProfile`.
 * Always followed by a suffix of ours, so that no reserved word and no name that we import can come of it.
 */
export function identifierStem(model: string): string {
  return delegateName(model)
    .replace(/_+([A-Za-z])/g, (_, letter: string) => letter.toUpperCase())
    .replace(/_+(\d)/g, '_$1')
    .replace(/_+$/, '')
}

/** Names by code unit: the same on every machine, whatever its locale. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
