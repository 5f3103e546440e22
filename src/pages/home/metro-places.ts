/** A metro's position on the map of `us-states.ts`, and the side of its dot for its name. */
export interface MetroPlace {
  readonly x: number;
  readonly y: number;
  /** Undefined when neighbors leave no room for the name; the list beside the map still has it. */
  readonly label: 'left' | 'right' | 'below' | 'none';
}

/**
 * The centroids of the metros' core counties, by five-digit FIPS code. Source: US Census Bureau, cartographic boundary
 * files 2017, 1:10,000,000 (public domain); largest polygon of the county.
 */
export const metroPlaces: Readonly<Record<string, MetroPlace>> = {
  '39035': { x: 739, y: 224, label: 'right' },
  '39049': { x: 721, y: 261, label: 'right' },
  '39061': { x: 697, y: 282, label: 'right' },
  '39113': { x: 700, y: 268, label: 'none' },
  '39095': { x: 705, y: 225, label: 'below' },
  '39153': { x: 742, y: 231, label: 'none' },
  '18097': { x: 668, y: 271, label: 'left' },
  '26163': { x: 709, y: 209, label: 'right' },
  '17031': { x: 635, y: 227, label: 'left' },
  '55079': { x: 630, y: 201, label: 'left' },
  '29095': { x: 527, y: 298, label: 'left' },
  '29510': { x: 599, y: 303, label: 'below' },
  '31055': { x: 495, y: 246, label: 'left' },
  '21111': { x: 680, y: 307, label: 'right' },
  '42003': { x: 771, y: 241, label: 'right' },
  '47157': { x: 610, y: 382, label: 'left' },
  '47037': { x: 665, y: 355, label: 'right' },
  '01073': { x: 669, y: 415, label: 'left' },
  '13121': { x: 713, y: 404, label: 'right' },
  '37119': { x: 775, y: 362, label: 'right' },
  '12031': { x: 777, y: 475, label: 'right' },
  '12057': { x: 773, y: 531, label: 'left' },
  '48113': { x: 483, y: 441, label: 'right' },
  '48439': { x: 474, y: 441, label: 'left' },
  '48201': { x: 510, y: 507, label: 'right' },
  '48029': { x: 448, y: 516, label: 'left' },
  '40109': { x: 472, y: 377, label: 'left' },
  '40143': { x: 499, y: 364, label: 'right' },
  '04013': { x: 189, y: 401, label: 'right' },
};
