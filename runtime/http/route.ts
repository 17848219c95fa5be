/** A route of a model's router. */
export interface Route {
  readonly method: string
  /** The pattern below the model's name. */
  readonly path: string
}
