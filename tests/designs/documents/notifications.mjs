// The code of the document on notifications, as written there. It is a sketch in
// Go's manner without a table's name, so the caller gives a `dynamodb` whose
// Query knows its table.

// Get notification by ID
export const notificationById = (dynamodb, id = 'abc123') =>
  dynamodb.Query({
    IndexName: "GSI1",
    KeyConditionExpression: "GSI1PK = :pk",
    ExpressionAttributeValues: {
      ":pk": `NOTIF#${id}`
    }
  });

// Find user by email
export const userByEmail = (dynamodb, email = 'user@example.com') =>
  dynamodb.Query({
    IndexName: "GSI1",
    KeyConditionExpression: "GSI1PK = :email",
    ExpressionAttributeValues: {
      ":email": `EMAIL#${email}`
    }
  });
