/** The icon of every page: a house, small enough to stand in the page itself. */
export const houseIcon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%23176b52' d='M2 7l6-5 6 5v7H2zM6 10h4v4H6z' fill-rule='evenodd'/%3E%3C/svg%3E";
