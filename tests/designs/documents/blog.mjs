// The queries of the document on the blog, as written there; what is a literal
// in it is the default here.

// 1. Buscar usuário por email
export const userByEmail = (email = 'user@example.com') => ({
  TableName: "portfolio-backend-table",
  IndexName: "GSI1",
  KeyConditionExpression: "GSI1PK = :pk",
  ExpressionAttributeValues: {
    ":pk": `USER#${email}`
  }
});

// 2. Listar posts por categoria
export const postsOfCategory = (categoryId = 'cat-123') => ({
  TableName: "portfolio-backend-table",
  IndexName: "GSI2",
  KeyConditionExpression: "GSI2PK = :pk AND begins_with(GSI2SK, :sk)",
  ExpressionAttributeValues: {
    ":pk": `CATEGORY#${categoryId}`,
    ":sk": "POST#"
  }
});

// 3. Listar notificações do usuário
export const notificationsOfUser = (userId = 'user-123') => ({
  TableName: "portfolio-backend-table",
  KeyConditionExpression: "PK = :pk AND begins_with(SK, :sk)",
  ExpressionAttributeValues: {
    ":pk": `USER#${userId}`,
    ":sk": "NOTIFICATION#"
  }
});
