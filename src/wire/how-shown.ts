/** Parameters of a list that say how records are shown, not which. */
export const howShown: readonly string[] = ['sort', 'order', 'view', 'limit'];
