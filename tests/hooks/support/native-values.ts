import type { Provider } from '../../../scripts/prepare-fixtures.js'

/** Values of one column in the REST style. The first and the last are at the limits of the type. */
export type NativeValues = readonly [first: unknown, second: unknown, ...others: unknown[]]

const INT = [-2147483648, 2147483647] as const
const BIGINT = ['-9223372036854775808', '9223372036854775807'] as const
const DOUBLE = [-1.797693134862315e308, 0.1, 1.797693134862315e308] as const
const DECIMAL = [
  '-9999999999999999999999999999.9999999999',
  '0.0000000001',
  '9999999999999999999999999999.9999999999',
] as const
const TEXT = ['', 'Größe 😀', 'z'.repeat(1000)] as const
const JSON_VALUES = [{ a: [1, null, { b: 'c' }] }, 'text', []] as const
const BYTES = ['', 'AAEC/w=='] as const
const TIME = ['1970-01-01T00:00:00.000Z', '1970-01-01T23:59:59.999Z'] as const
const SIZE = ['SMALL', 'LARGE'] as const
const BOOLEAN = [false, true] as const

/** Values for every column type of each database, by the name of the fixture's field. */
export const NATIVE_VALUES: Readonly<Record<Provider, Readonly<Record<string, NativeValues>>>> = {
  sqlite: {
    string: TEXT,
    boolean: BOOLEAN,
    integer: INT,
    bigInt: BIGINT,
    float: DOUBLE,
    decimal: ['-99999999999.5', '0.25', '99999999999.5'],
    datetime: ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    json: JSON_VALUES,
    bytes: BYTES,
    size: SIZE,
  },
  postgresql: {
    text: TEXT,
    char: ['abc', 'zzz'],
    varChar: ['', 'z'.repeat(20)],
    bit: ['0000', '1111'],
    varBit: ['1', '10101010'],
    uuid: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    xml: ['<a/>', '<b c="d">1 &lt; 2</b>'],
    inet: ['0.0.0.0', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    citext: ['Abc', 'äbc'],
    boolean: BOOLEAN,
    integer: INT,
    smallInt: [-32768, 32767],
    oid: [0, 2147483647],
    bigInt: BIGINT,
    double: DOUBLE,
    real: [-3.4028235e38, 0.1, 3.4028235e38],
    decimal: DECIMAL,
    money: ['-92233720368547758.08', '92233720368547758.07'],
    timestamp: ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    timestampFine: ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    timestamptz: ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    timestamptzFine: ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    date: ['0001-01-01T00:00:00.000Z', '9999-12-31T00:00:00.000Z'],
    time: TIME,
    timetz: TIME,
    json: JSON_VALUES,
    jsonB: JSON_VALUES,
    bytes: BYTES,
    size: SIZE,
    integers: [[], [-2147483648, 2147483647]],
  },
  mysql: {
    varChar: ['', 'z'.repeat(20)],
    text: TEXT,
    char: ['abc', 'zzz'],
    tinyText: ['', 'z'.repeat(255)],
    mediumText: TEXT,
    longText: TEXT,
    boolean: BOOLEAN,
    bit: BOOLEAN,
    integer: INT,
    smallInt: [-32768, 32767],
    tinyInt: [-128, 127],
    mediumInt: [-8388608, 8388607],
    year: [1901, 2155],
    unsignedInt: [0, 2147483647],
    unsignedSmallInt: [0, 65535],
    unsignedTinyInt: [0, 255],
    unsignedMediumInt: [0, 16777215],
    bigInt: BIGINT,
    unsignedBigInt: ['0', '9223372036854775807'],
    float: [-(2 ** 127), 0.5, 2 ** 127],
    double: DOUBLE,
    decimal: DECIMAL,
    datetime: ['1000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    datetimeFine: ['1000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    datetimeCoarse: ['1000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.000Z'],
    date: ['1000-01-01T00:00:00.000Z', '9999-12-31T00:00:00.000Z'],
    time: TIME,
    timestamp: ['1970-01-01T00:00:01.000Z', '2038-01-19T03:14:07.999Z'],
    json: JSON_VALUES,
    blob: BYTES,
    tinyBlob: BYTES,
    mediumBlob: BYTES,
    longBlob: BYTES,
    binary: ['AAECAw==', '/////w=='],
    varBinary: BYTES,
    bits: ['AAA=', 'D/8='],
    size: SIZE,
  },
}
