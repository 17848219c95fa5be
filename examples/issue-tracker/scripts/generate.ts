/** Makes the Prisma client and the routes: those of SQLite, or with a `DATABASE_URL` of PostgreSQL those of that. */
import { generate } from './prisma-generate.js'

process.stdout.write(await generate())
