/** Generates the Prisma client and the routes, for PostgreSQL if `DATABASE_URL` names one, otherwise for SQLite. */
import { generate } from './prisma-generate.js'

process.stdout.write(await generate())
