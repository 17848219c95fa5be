import type { RuleField } from '../../generator/model/annotations/zod-mini-rule.js'

/** A type of field: the zod schema without a rule, and every check that it accepts, with arguments. */
export interface RuleKind {
  readonly name: string
  readonly field: RuleField
  readonly base: string
  readonly checks: readonly string[]
  /** String formats. At the beginning of a chain, each is a schema. Elsewhere, most of them are also checks. */
  readonly formats: readonly string[]
}

/** Splits a text at two or more spaces and at line breaks. */
function apart(text: string): readonly string[] {
  return text.trim().split(/\s{2,}/)
}

const LENGTHS = apart(`
  .min(2)  .min(2, "too short")  .min(0)  .max(3)  .max(3, { message: "too long" })
  .length(2)  .length(3, { error: "not three" })  .nonempty()  .nonempty("empty")
`)
const TEXTS = apart(`
  .regex(/^[a-z]+$/)  .regex(/b/gi, "no b")  .includes("b")  .includes("b", { position: 1 })
  .includes("b", { message: "no b", abort: true })  .startsWith("a")  .startsWith("a", "no a first")
  .endsWith("c")  .endsWith("c", { error: "no c last" })  .lowercase()  .lowercase("shouts")
  .uppercase()  .uppercase({ message: "whispers" })  .trim()  .toLowerCase()  .toUpperCase()
  .normalize()  .normalize("NFKC")  .slugify()
`)
const FORMAT_METHODS = apart(`
  .email()  .email("no address")  .email({ pattern: /@b/ })  .url()  .url({ protocol: /^ftp$/ })
  .jwt()  .jwt({ alg: "HS256" })  .emoji()  .guid()  .uuid()  .uuid({ version: "v7" })  .uuidv4()
  .uuidv6()  .uuidv7()  .nanoid()  .cuid()  .cuid2()  .ulid()  .base64()  .base64url()
  .xid()  .ksuid()  .ipv4()  .ipv6()  .cidrv4()  .cidrv6()  .e164({ message: "no number" })
`)
const MOMENTS = apart(`
  .datetime()  .datetime({ offset: true, precision: 3 })  .date()  .date({ message: "no day" })
  .time()  .time({ precision: -1 })  .duration()
`)
const OTHER_FORMATS = apart(`
  .httpUrl()  .creditCard()  .iban()  .mac()  .mac({ delimiter: "-" })  .hostname()  .hex()
  .currencyCode()  .hash("md5")  .hash("sha256", { enc: "base64" })  .stringFormat("code", /^b/)
`)
const BOUNDS = apart(`
  .min(2)  .min(2, "too small")  .max(5)  .max(5, { error: "too big" })  .gt(2)  .gte(2)  .lt(5)
  .lte(5, { message: "too big", abort: true })  .positive()  .positive("not positive")  .nonnegative()
  .negative()  .nonpositive({ error: "positive" })  .multipleOf(2)
`)
const BIG_BOUNDS = BOUNDS.map((check) => check.replace(/\((\d)/, '($1n'))
const NUMBERS = [...BOUNDS, '.step(0.5)', '.step(3, "no third")', '.finite()', '.int()', '.int("not whole")']

const DATES = apart(`
  .min(new Date("2020-01-31"))  .max(new Date("2030-01-31"))  .max(new Date("2021-01-31"), "too late")
`)
const VALUES = apart(`
  .exclude(["A"])  .exclude(["C"], "not C")  .extract(["B", "B"])  .extract(["B"], { error: "not B" })
`)

function kind(name: string, base: string, checks: readonly string[], formats: readonly string[] = []): RuleKind {
  const field = { type: name.replace('[]', ''), values: ['A', 'B', 'C'], list: name.endsWith('[]') }
  return { name, field, base, checks, formats }
}

/** All kinds. Enums have the values A, B and C. */
export const RULE_KINDS: readonly RuleKind[] = [
  kind(
    'String',
    'z.string()',
    [...LENGTHS, ...TEXTS, ...FORMAT_METHODS, ...MOMENTS],
    [...FORMAT_METHODS, ...OTHER_FORMATS],
  ),
  kind('Int', 'z.int()', NUMBERS),
  kind('Float', 'z.number()', NUMBERS),
  kind('Decimal', 'z.coerce.number()', NUMBERS),
  kind('BigInt', 'z.bigint()', BIG_BOUNDS),
  kind('Boolean', 'z.boolean()', []),
  kind('DateTime', 'z.date()', DATES),
  kind('Enum', 'z.enum(["A", "B", "C"])', VALUES),
  kind('Bytes', 'z.instanceof(Uint8Array)', ['.properties({})']),
  kind('Json', 'z.json()', []),
  kind('String[]', 'z.array(z.string())', LENGTHS),
  kind('Enum[]', 'z.array(z.enum(["A", "B", "C"]))', LENGTHS),
  kind('Bytes[]', 'z.array(z.instanceof(Uint8Array))', LENGTHS),
  kind('Json[]', 'z.array(z.json())', LENGTHS),
]

/** Returns every check of a kind as a rule, and every format. */
export function chainsOf({ checks, formats }: RuleKind): readonly string[] {
  // After another check, a format is a check too.
  return [...checks.map((check) => (formats.includes(check) ? `.max(999)${check}` : check)), ...formats]
}

/** Returns the name of the first call of a chain. */
export function callName(chain: string): string {
  return /^\.(\w+)/.exec(chain)?.[1] ?? ''
}
