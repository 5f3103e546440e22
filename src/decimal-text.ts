/** A plain decimal number as text, such as "8.50". Never a float. */
export type DecimalText = string;
