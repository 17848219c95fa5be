import type { Engine } from '../../support/engines/engine.js'
import type { Session } from './sessions.js'

type EngineName = Engine['name']

/** A create that the database rejects, and the expected response of both styles. */
export interface DatabaseErrorCase {
  readonly name: string
  /** The databases that have the object, which {@link SCHEMA} creates. */
  readonly on: readonly EngineName[]
  readonly model: string
  /** Attributes of the row. An `id` is that of the resource. */
  readonly data: Readonly<Record<string, unknown>>
  readonly status: number
  readonly code: string
  /** The field that the error points at, and the databases whose drivers report it. */
  readonly field?: readonly [name: string, on: readonly EngineName[]]
  /** Text of the database that `databaseMessages` shows. */
  readonly message?: string
  readonly session?: Session
}

const SQL = ['PGlite', 'PostgreSQL', 'MySQL'] as const
const POSTGRES = ['PGlite', 'PostgreSQL'] as const
const ALL = ['SQLite', ...SQL] as const
const SERVERS = ['PostgreSQL', 'MySQL'] as const

const INVALID = { status: 422, code: 'invalid-value' }
const INTERNAL = { status: 500, code: 'internal-error' }
const TIMEOUT = { status: 504, code: 'database-timeout' }
const category = (name: string, more: object = {}) => ({ model: 'category', data: { name, ...more } })
const post = (more: object) => ({ model: 'post', data: { slug: 'new', title: 'New', content: 'x', ...more } })
const user = { model: 'user', data: { email: 'ann@example.org', password: 'long enough' } }

export const DATABASE_ERROR_CASES: readonly DatabaseErrorCase[] = [
  // Constraints.
  { name: 'unique', on: ALL, ...category('taken'), status: 409, code: 'unique-violation', field: ['name', ALL] },
  {
    name: 'foreign key',
    on: ALL,
    ...category('orphan', { parentId: 99 }),
    status: 409,
    code: 'foreign-key-violation',
    field: ['parentId', ALL],
  },
  {
    name: 'CHECK',
    on: ALL,
    ...category('check', { readers: -1 }),
    ...INVALID,
    field: ['readers', ['MySQL']],
    message: 'readers',
  },
  { name: 'NOT NULL', on: ALL, ...post({ content: null }), ...INVALID, field: ['content', ALL] },
  {
    name: 'exclusion',
    on: POSTGRES,
    ...category('exclusion', { adPrice: '5' }),
    status: 409,
    code: 'conflict',
    message: 'one_price',
  },
  { name: 'WITH CHECK OPTION', on: SQL, model: 'tag', data: { id: 'hidden' }, ...INVALID, message: 'Tag' },
  // Triggers.
  { name: 'raise', on: ALL, ...category('raise'), ...INVALID, message: 'refused by raise' },
  {
    name: 'raise with the code of a lost connection',
    on: ['MySQL'],
    ...category('45009'),
    ...INVALID,
    message: 'refused by 45009',
  },
  {
    name: 'raise with the code of a network error',
    on: ['MySQL'],
    ...category('08S01'),
    ...INVALID,
    message: 'refused by 08S01',
  },
  {
    name: 'raise with the number of a lock',
    on: ['MySQL'],
    ...category('1205'),
    ...INVALID,
    message: 'refused by 1205',
  },
  {
    name: 'raise with the code of a constraint',
    on: POSTGRES,
    ...category('23514'),
    ...INVALID,
    message: 'refused by 23514',
  },
  { name: 'division by zero', on: POSTGRES, ...category('zero'), ...INVALID },
  // Types.
  {
    name: 'too long',
    on: SQL,
    ...user,
    data: { ...user.data, name: 'longer' },
    ...INVALID,
    field: ['name', ['MySQL']],
  },
  { name: 'out of range', on: SQL, ...post({ viewCount: 99_999 }), ...INVALID, field: ['viewCount', ['MySQL']] },
  // Privileges and policies.
  {
    name: 'row-level security',
    on: POSTGRES,
    ...category('secured'),
    status: 403,
    code: 'forbidden',
    session: 'restricted',
  },
  { name: 'no privilege on the table', on: SQL, ...post({}), ...INTERNAL, session: 'restricted' },
  { name: 'no privilege on a column', on: SQL, ...user, ...INTERNAL, session: 'restricted' },
  { name: 'no privilege on the database', on: ['MySQL'], ...category('none'), ...INTERNAL, session: 'stranger' },
  // Tables and columns that migrations have not created, or have removed.
  { name: 'missing table', on: ALL, model: 'profile', data: { bio: 'x', userId: 1 }, ...INTERNAL },
  { name: 'missing column', on: ALL, model: 'comment', data: { postId: 1, seq: 1, body: 'x' }, ...INTERNAL },
  // Locks, timeouts and outages.
  { name: 'lock timeout', on: ['SQLite', ...SERVERS], ...category('held'), ...TIMEOUT, session: 'locked' },
  { name: 'statement timeout', on: SERVERS, ...category('slow'), ...TIMEOUT, session: 'hurried' },
  {
    name: 'read-only',
    on: SQL,
    ...category('read-only'),
    status: 503,
    code: 'database-unavailable',
    session: 'read-only',
  },
]

/** Statements that prepare the faults. They run after the tables have their rows. */
export const SCHEMA: Readonly<Record<'sqlite' | 'postgresql' | 'mysql', string>> = {
  postgresql: `
    ALTER TABLE "Category" ADD CHECK ("readers" >= 0), ADD CONSTRAINT one_price EXCLUDE USING btree ("adPrice" WITH =);
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.name = 'raise' THEN RAISE EXCEPTION 'refused by raise'; END IF;
      IF NEW.name = '23514' THEN RAISE EXCEPTION 'refused by 23514' USING ERRCODE = '23514'; END IF;
      IF NEW.name = 'zero' THEN NEW.readers = 1 / 0; END IF;
      IF NEW.name = 'slow' THEN PERFORM pg_sleep(1); END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON "Category" FOR EACH ROW EXECUTE FUNCTION refuse();
    ALTER TABLE "Tag" RENAME TO "AllTags";
    CREATE VIEW "Tag" AS SELECT * FROM "AllTags" WHERE name <> 'hidden' WITH CHECK OPTION;
    ALTER TABLE "User" ALTER "name" TYPE varchar(5);
    ALTER TABLE "Post" ALTER "viewCount" TYPE smallint, ALTER "content" SET NOT NULL;
    ALTER TABLE "Profile" RENAME TO "Profiles";
    ALTER TABLE "Comment" DROP COLUMN "body";
    ALTER TABLE "Category" ENABLE ROW LEVEL SECURITY;
    CREATE POLICY secured ON "Category" USING (true) WITH CHECK (name <> 'secured');
    INSERT INTO "Category" ("name", "adPrice") VALUES ('taken', 5)`,
  mysql: `
    ALTER TABLE Category MODIFY readers BIGINT NOT NULL DEFAULT 0 CHECK (readers >= 0);
    CREATE TRIGGER refuse BEFORE INSERT ON Category FOR EACH ROW BEGIN
      IF NEW.name = 'raise' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused by raise'; END IF;
      IF NEW.name = '45009' THEN SIGNAL SQLSTATE '45009' SET MESSAGE_TEXT = 'refused by 45009'; END IF;
      IF NEW.name = '08S01' THEN SIGNAL SQLSTATE '08S01' SET MESSAGE_TEXT = 'refused by 08S01'; END IF;
      IF NEW.name = '1205' THEN
        SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 1205, MESSAGE_TEXT = 'refused by 1205';
      END IF;
      IF NEW.name = 'slow' THEN SET NEW.readers = SLEEP(1); END IF;
    END;
    RENAME TABLE Tag TO AllTags;
    CREATE VIEW Tag AS SELECT * FROM AllTags WHERE name <> 'hidden' WITH CHECK OPTION;
    ALTER TABLE User MODIFY name VARCHAR(5);
    ALTER TABLE Post MODIFY viewCount SMALLINT NOT NULL DEFAULT 0, MODIFY content TEXT NOT NULL;
    RENAME TABLE Profile TO Profiles;
    ALTER TABLE Comment DROP COLUMN body;
    INSERT INTO Category (name, adPrice) VALUES ('taken', 5)`,
  sqlite: `
    PRAGMA foreign_keys = OFF;
    DROP TABLE "Category";
    CREATE TABLE "Category" (
      "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL, "adPrice" DECIMAL,
      "readers" BIGINT NOT NULL DEFAULT 0 CHECK ("readers" >= 0), "parentId" INTEGER REFERENCES "Category" ("id"));
    CREATE UNIQUE INDEX "Category_name_key" ON "Category" ("name");
    CREATE TRIGGER refuse BEFORE INSERT ON "Category" WHEN NEW.name = 'raise'
      BEGIN SELECT RAISE(ABORT, 'refused by raise'); END;
    DROP TABLE "Post";
    CREATE TABLE "Post" (
      "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "slug" TEXT NOT NULL, "title" TEXT NOT NULL,
      "content" TEXT NOT NULL, "status" TEXT NOT NULL DEFAULT 'DRAFT', "viewCount" INTEGER NOT NULL DEFAULT 0,
      "publishedAt" DATETIME, "updatedAt" DATETIME NOT NULL, "authorId" INTEGER, "categoryId" INTEGER);
    ALTER TABLE "Profile" RENAME TO "Profiles";
    ALTER TABLE "Comment" DROP COLUMN "body";
    PRAGMA foreign_keys = ON;
    INSERT INTO "Category" ("name", "adPrice") VALUES ('taken', 5)`,
}
