/**
 * Returns `prisma` if the schema sets `relationMode = "prisma"`, in which case the database has no foreign keys. Parsed from the schema's text,
 * because neither the DMMF nor the generator protocol contains it.
 */
export function readRelationMode(datamodel: string): 'prisma' | undefined {
  return /^\s*relationMode\s*=\s*"prisma"/m.test(datamodel) ? 'prisma' : undefined
}
