// The one item that the document on goals shows, as written there.

export const exampleChannel = {
  "PK": "USER#12345",
  "SK": "NOTIFICATION#SMS",
  "channelType": "SMS",
  "identifier": "+1234567890",
  "createdAt": "2025-01-01T00:00:00Z",
  "updatedAt": "2025-01-01T00:00:00Z",
  "isActive": true
};
