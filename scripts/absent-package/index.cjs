// An empty replacement for `prisma dev` and `prisma studio`. See `overrides` in the root package.json.
module.exports = {}
