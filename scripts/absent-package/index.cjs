// Takes the place of `prisma dev` and `prisma studio`, which the overrides in the root leave out.
module.exports = {}
