/**
 * Whether the schema says `relationMode = "prisma"`: the database has no foreign keys then. Read from the schema's text, since
 * neither the DMMF nor the generator protocol tells it.
 */
export function readRelationMode(datamodel: string): 'prisma' | undefined {
  return /^\s*relationMode\s*=\s*"prisma"/m.test(datamodel) ? 'prisma' : undefined
}
