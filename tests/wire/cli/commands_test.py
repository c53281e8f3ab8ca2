"""The AWS CLI, as Debian has it: tables, items, queries, metrics, text and JSON."""

import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

from harness import CREDENTIALS, ENDPOINT, REGION, unique_name  # noqa: E402

AWS = "/usr/bin/aws"  # Debian's; another may stand before it on PATH


def aws(*arguments, output="json", check=True, service="dynamodb"):
    home = tempfile.gettempdir()
    environment = {
        **os.environ,
        "AWS_ACCESS_KEY_ID": CREDENTIALS["aws_access_key_id"],
        "AWS_SECRET_ACCESS_KEY": CREDENTIALS["aws_secret_access_key"],
        "AWS_DEFAULT_REGION": REGION,
        "AWS_CONFIG_FILE": os.path.join(home, "no-aws-config"),
        "AWS_SHARED_CREDENTIALS_FILE": os.path.join(home, "no-aws-credentials"),
        "AWS_MAX_ATTEMPTS": "1",
        "AWS_PAGER": "",
    }
    done = subprocess.run([AWS, service, *arguments, "--endpoint-url", ENDPOINT, "--output", output],
                          capture_output=True, text=True, env=environment, timeout=120)
    if check and done.returncode != 0:
        raise AssertionError(f"aws {' '.join(arguments)}: {done.stderr}")
    if not check:
        return done
    return json.loads(done.stdout) if output == "json" and done.stdout.strip() else done.stdout


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = unique_name("cli")
        created = aws("create-table", "--table-name", cls.table,
                      "--attribute-definitions", "AttributeName=pk,AttributeType=S", "AttributeName=sk,AttributeType=N",
                      "--key-schema", "AttributeName=pk,KeyType=HASH", "AttributeName=sk,KeyType=RANGE",
                      "--billing-mode", "PAY_PER_REQUEST")
        assert created["TableDescription"]["TableName"] == cls.table
        aws("wait", "table-exists", "--table-name", cls.table)
        requests = [{"PutRequest": {"Item": {"pk": {"S": "many"}, "sk": {"N": str(i)}, "name": {"S": f"item {i}"}}}}
                    for i in range(20)]
        aws("batch-write-item", "--request-items", json.dumps({cls.table: requests}))

    def test_put_get_update_delete(self):
        key = json.dumps({"pk": {"S": "one"}, "sk": {"N": "1"}})
        aws("put-item", "--table-name", self.table, "--item", json.dumps({"pk": {"S": "one"}, "sk": {"N": "1"}, "v": {"S": "x"}}))
        self.assertEqual(aws("get-item", "--table-name", self.table, "--key", key)["Item"]["v"], {"S": "x"})
        updated = aws("update-item", "--table-name", self.table, "--key", key, "--update-expression", "SET v = :v ADD n :n",
                      "--expression-attribute-values", '{":v": {"S": "y"}, ":n": {"N": "0.5"}}', "--return-values", "ALL_NEW")
        self.assertEqual((updated["Attributes"]["v"], updated["Attributes"]["n"]), ({"S": "y"}, {"N": "0.5"}))
        deleted = aws("delete-item", "--table-name", self.table, "--key", key, "--return-values", "ALL_OLD")
        self.assertEqual(deleted["Attributes"]["v"], {"S": "y"})
        self.assertEqual(aws("get-item", "--table-name", self.table, "--key", key), "")

    def test_query_json(self):
        answer = aws("query", "--table-name", self.table, "--key-condition-expression", "pk = :p AND sk < :n",
                     "--expression-attribute-values", '{":p": {"S": "many"}, ":n": {"N": "3"}}')
        self.assertEqual([item["sk"]["N"] for item in answer["Items"]], ["0", "1", "2"])
        self.assertEqual(answer["Count"], 3)

    def test_execute_statement(self):
        aws("execute-statement", "--statement", f"INSERT INTO \"{self.table}\" VALUE {{'pk': 'statement', 'sk': 1, 'v': 'x'}}")
        answer = aws("execute-statement", "--statement", f"SELECT v FROM \"{self.table}\" WHERE pk = ? AND sk = 1",
                     "--parameters", '[{"S": "statement"}]')
        self.assertEqual(answer["Items"], [{"v": {"S": "x"}}])
        refused = aws("execute-statement", "--statement", "SELECT", check=False)
        self.assertIn("Statement wasn't well formed, can't be processed: Unexpected term", refused.stderr)

    def test_query_text(self):
        text = aws("query", "--table-name", self.table, "--key-condition-expression", "pk = :p",
                   "--expression-attribute-values", '{":p": {"S": "many"}}', "--query", "Items[].sk.N", output="text")
        self.assertEqual(text.split(), [str(i) for i in range(20)])

    def test_paging_by_the_cli(self):
        first = aws("scan", "--table-name", self.table, "--max-items", "5", "--page-size", "2")
        self.assertEqual(len(first["Items"]), 5)
        rest = aws("scan", "--table-name", self.table, "--starting-token", first["NextToken"])
        self.assertGreaterEqual(len(first["Items"]) + len(rest["Items"]), 20)

    def test_describe_and_list(self):
        described = aws("describe-table", "--table-name", self.table)["Table"]
        self.assertEqual(described["TableStatus"], "ACTIVE")
        self.assertIn(self.table, aws("list-tables")["TableNames"])

    def test_transaction(self):
        items = [{"Put": {"TableName": self.table, "Item": {"pk": {"S": "t"}, "sk": {"N": str(i)}}}} for i in range(3)]
        aws("transact-write-items", "--transact-items", json.dumps(items))
        answer = aws("query", "--table-name", self.table, "--key-condition-expression", "pk = :p",
                     "--expression-attribute-values", '{":p": {"S": "t"}}', "--select", "COUNT")
        self.assertEqual(answer["Count"], 3)

    def test_a_refusal_is_readable(self):
        done = aws("describe-table", "--table-name", "nowhere", check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("(ResourceNotFoundException) when calling the DescribeTable operation", done.stderr)
        self.assertIn("Requested resource not found: Table: nowhere not found", done.stderr)

    def test_metrics(self):
        table = ["--namespace", "AWS/DynamoDB", "--dimensions", f"Name=TableName,Value={self.table}"]
        today = datetime.date.today()
        days = ["--start-time", f"{today - datetime.timedelta(days=1)}T00:00:00Z",
                "--end-time", f"{today + datetime.timedelta(days=2)}T00:00:00Z", "--period", "86400"]
        written = aws("get-metric-statistics", *table, "--metric-name", "ConsumedWriteCapacityUnits", *days,
                      "--statistics", "Sum", "Maximum", service="cloudwatch")
        self.assertGreaterEqual(sum(point["Sum"] for point in written["Datapoints"]), 20)
        self.assertEqual(written["Datapoints"][0]["Unit"], "Count")
        listed = aws("list-metrics", *table, "--metric-name", "SuccessfulRequestLatency", service="cloudwatch")
        operations = {dimension["Value"] for metric in listed["Metrics"] for dimension in metric["Dimensions"]}
        self.assertIn("BatchWriteItem", operations)
        refused = aws("get-metric-statistics", *table, "--metric-name", "UserErrors", *days[:-1], "60",
                      "--statistics", "Sum", service="cloudwatch", check=False)
        self.assertIn("(InvalidParameterCombination) when calling the GetMetricStatistics operation", refused.stderr)
        self.assertIn("You have requested up to 4320 datapoints, which exceeds the limit of 1440.", refused.stderr)
        unknown = aws("describe-alarms", service="cloudwatch", check=False)
        self.assertIn("(InvalidAction)", unknown.stderr)

    def test_delete_and_wait(self):
        name = unique_name("cli")
        aws("create-table", "--table-name", name, "--attribute-definitions", "AttributeName=id,AttributeType=B",
            "--key-schema", "AttributeName=id,KeyType=HASH", "--billing-mode", "PAY_PER_REQUEST")
        aws("wait", "table-exists", "--table-name", name)
        aws("delete-table", "--table-name", name)
        aws("wait", "table-not-exists", "--table-name", name)


if __name__ == "__main__":
    unittest.main()
