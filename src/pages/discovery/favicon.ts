/** The icon of the service: a house. */
export const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#176b52" fill-rule="evenodd" d="M2 7l6-5 6 5v7H2zM6 10h4v4H6z"/></svg>\n';
